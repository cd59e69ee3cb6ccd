"""Typos: what the words of a query without exact hits may have meant. Common words of English, and of
English about software, are none: whoever types one has mistyped nothing.

Of Chinese: one wrong character in a word, or two in the wrong order. A wrong character makes the pairs it
stands in unknown. Most unknown pairs only stand where two words meet, so a repair counts only if the
memory holds all of the repaired text's pairs.

Imported only where the words of a question are compared with those that a memory holds.
"""

from __future__ import annotations

from collections.abc import Iterator

import apsw

from ..records.dataclasses import dataclass
from ..text.language.folding import CHINESE, fold
from ..text.language.words import STOP_WORDS
from .index.documents import FIELDS
from .index.full_text import SHORTEST_SPELLING
from .matching import Matcher
from .pinyin import characters_read, sound_alike, syllables
from .query.language import Query
from .terms import WORD, frequency

MAXIMUM_WORDS = 32
"""A query of more words was pasted, not typed."""


@dataclass(frozen=True, slots=True)
class Correction:
    """What no memory holds as a word, and the nearest word that some do.

    `query` is the whole query with all its corrections made.
    """

    typed: str
    meant: str
    query: str


def corrections(matcher: Matcher) -> tuple[Correction, ...]:
    """Return a correction for each word that no memory holds as a word and to which another is near."""
    if not matcher.has_words:
        return ()
    query = matcher.query
    # Beside a colon stands what was meant as a filter.
    terms = [term.text for term in query.terms if ":" not in term.text]
    typed = [(word, word == text) for text in terms for word in WORD.findall(text)]
    if len(typed) > MAXIMUM_WORDS:
        return ()
    meant = {}
    for word, whole in typed:
        nearest = _meant(matcher, word, whole=whole)
        if nearest and not (query.is_question and _is_needless(fold(word), nearest)):
            meant[word] = nearest
    text = _corrected(query, meant)
    if text == query.text:
        return ()
    return tuple(Correction(word, nearest, text) for word, nearest in meant.items())


LONG = 9
"""From so many letters on a word may be two edits away, below it one."""
CANDIDATES = 12
"""So many of the nearest are compared by how often they stand in the memory."""
COUNTED = 1_000
SHORTEST_IN_QUESTION = 4
"""To a shorter word some word is near in any memory."""
PREFIX = 2
"""Letters of a syllable before a word that changes its sense, as in `incorrect`."""
LONGEST_PINYIN, CANDIDATES_READ = 30, 64
HIGHEST = "\U0010ffff"

LONGEST_RUN = 6
"""A longer run of Chinese is a sentence, of which most pairs are in no other text."""
COUNTED_PAIRS = 1_000


def _is_needless(word: str, nearest: str) -> bool:
    """Whether a word of a question is likely meant as it stands, or its correction changes nothing.

    A question has words that a small memory lacks, and to most short words another one is near.
    """
    return (
        len(word) < SHORTEST_IN_QUESTION
        or word in COMMON_WORDS
        or nearest in STOP_WORDS
        or word[PREFIX:] == nearest
    )


def _corrected(query: Query, meant: dict[str, str]) -> str:
    """A query's text with other words in its terms; filters, field names and what is excluded stay."""
    parts, last = [], 0
    for item in query.items:
        if item.negated or item.operator:
            continue
        start = item.start + (len(item.name) + 1 if item.name in FIELDS else 0)
        term = query.text[start : item.end]
        parts += [query.text[last:start], WORD.sub(lambda word: meant.get(word[0], word[0]), term)]
        last = item.end
    return "".join([*parts, query.text[last:]])


def _meant(matcher: Matcher, typed: str, *, whole: bool) -> str | None:
    """The nearest word; a part of a longer term (`tok*`) may also be the beginning of a word."""
    word = fold(typed)
    if CHINESE.fullmatch(word):
        return _nearest_run(matcher, word)
    if not word.isalpha() or len(word) < SHORTEST_SPELLING or word in STOP_WORDS:
        return None
    if frequency(matcher.db, word, 1) or (not whole and _begins(matcher.db, word)):
        return None
    return _nearest_word(matcher, word) or (_in_chinese(matcher, word) if whole else None)


def _in_chinese(matcher: Matcher, typed: str) -> str | None:
    """The most frequent Chinese word that is read as letters were typed; None without pypinyin."""
    if not typed.isascii() or len(typed) > LONGEST_PINYIN:
        return None
    best: tuple[int, str] | None = None
    for way in syllables(typed):
        if len(way) > LONGEST_RUN or (best and len(way) > len(best[1])):
            continue
        for word in _read_so(matcher, way):
            number = frequency(matcher.db, " ".join(_pairs(word)), COUNTED_PAIRS)
            if number and (best is None or number > best[0]):
                best = number, word
    return best[1] if best else None


def _read_so(matcher: Matcher, way: tuple[str, ...]) -> list[str]:
    """Runs of Chinese, each pair of which some memory holds, that are read as these syllables."""
    results = list(characters_read(way[0]))
    for syllable in way[1:]:
        following = set(characters_read(syllable))
        after = {last: _fitting(matcher, last, "") & following for last in {run[-1] for run in results}}
        results = [run + char for run in results for char in sorted(after[run[-1]])][:CANDIDATES_READ]
    return results


def _nearest_word(matcher: Matcher, word: str) -> str | None:
    """The most frequent of the words with the fewest edits (optimal string alignment)."""
    from rapidfuzz import process
    from rapidfuzz.distance import OSA

    edits = 2 if len(word) >= LONG else 1
    known = set(_near(matcher.db, word, edits))
    near = process.extract(word, known, scorer=OSA.distance, score_cutoff=edits, limit=None)
    if not near:
        return None
    least = min(distance for _, distance, _ in near)
    best = sorted(text for text, distance, _ in near if distance == least)[:CANDIDATES]
    return max(best, key=lambda name: frequency(matcher.db, name, COUNTED))


def _nearest_run(matcher: Matcher, run: str) -> str | None:
    """Return what a run of Chinese that no memory holds may have meant; None if nothing is near.

    A character that sounds like the typed one comes first, for that is how most are mistyped; then
    the more frequent.
    """
    groups = _unknown(matcher, run) if len(run) <= LONGEST_RUN else []
    if len(groups) != 1:
        return None
    best: tuple[bool, int, str] | None = None
    for place, fixed in _repairs(matcher, run, *groups[0]):
        alike = place is None or sound_alike(run[place], fixed[place])
        inner = place is None or 0 < place < len(run) - 1
        if _unknown(matcher, fixed) or not (alike or inner or _ends_a_run(matcher, fixed)):
            continue
        around = fixed[max(0, groups[0][0] - 1) : groups[0][1] + 3]
        number = frequency(matcher.db, " ".join(_pairs(around)), COUNTED_PAIRS)
        if number and (best is None or (alike, number) > best[:2]):
            best = alike, number, fixed
    return best[2] if best else None


def _repairs(matcher: Matcher, run: str, start: int, end: int) -> Iterator[tuple[int | None, str]]:
    """The run with two of the characters of its unknown pairs in the other order, or with another
    character (its place is given) in all of these pairs."""
    for place in range(start, end + 1):
        yield None, run[:place] + run[place + 1] + run[place] + run[place + 2 :]
    for place in range(start, end + 2):
        pairs = {place - 1, place} & set(range(len(run) - 1))
        if pairs == set(range(start, end + 1)):
            before, after = run[:place], run[place + 1 :]
            for character in sorted(_fitting(matcher, before[-1:], after[:1])):
                yield place, before + character + after


def _fitting(matcher: Matcher, before: str, after: str) -> set[str]:
    """The characters that some memory holds after one character and before another ('': any)."""
    sets = []
    for column, beside in (("word", before), ("backwards", after)):
        if beside:
            sql = (
                f"SELECT {column} FROM spellings WHERE {column} > ? AND {column} < ? "
                "AND length(word) = 2 AND document_id > 0"
            )
            cursor = matcher.db.execute(sql, (beside, beside + HIGHEST))
            sets.append({str(pair)[1] for (pair,) in cursor})
    return set.intersection(*sets)


def _unknown(matcher: Matcher, run: str) -> list[tuple[int, int]]:
    """Where pairs that no memory holds follow each other: the first one's place, and the last's."""
    groups: list[tuple[int, int]] = []
    for place, pair in enumerate(_pairs(run)):
        if pair not in STOP_WORDS and not frequency(matcher.db, pair, 1):
            if groups and groups[-1][1] == place - 1:
                groups[-1] = (groups[-1][0], place)
            else:
                groups.append((place, place))
    return groups


def _ends_a_run(matcher: Matcher, run: str) -> bool:
    """Whether a text ends with this, before a mark or a space: then it is no part of a word."""
    return bool(frequency(matcher.db, " ".join([*_pairs(run), run[-1]]), 1))


def _pairs(run: str) -> list[str]:
    return [run[start : start + 2] for start in range(len(run) - 1)]


def _near(db: apsw.Connection, word: str, edits: int) -> Iterator[str]:
    """Words of about its length that begin or end as it does: with its first or second half, or with
    its first or last third where there may be two edits.

    One edit leaves either half as it is, but for two letters in the wrong order in the middle.
    """
    half = len(word) // 2
    swapped = word[: half - 1] + word[half] + word[half - 1] + word[half + 1 :]
    first, last = (half, len(word) - half) if edits == 1 else (len(word) // 3, len(word) // 3)
    for column, start in (
        ("word", word[:first]),
        ("backwards", word[::-1][:last]),
        ("word", swapped),
    ):
        sql = (
            f"SELECT word FROM spellings WHERE {column} >= ? AND {column} < ? "
            "AND length(word) BETWEEN ? AND ? AND document_id > 0"
        )
        values = (start, start + HIGHEST, len(word) - edits, len(word) + edits)
        yield from (str(result) for (result,) in db.execute(sql, values))


def _begins(db: apsw.Connection, start: str) -> bool:
    """Whether a word begins so."""
    sql = "SELECT EXISTS (SELECT 1 FROM spellings WHERE word >= ? AND word < ? AND document_id > 0)"
    return bool(db.execute(sql, (start, start + HIGHEST)).get)


COMMON_WORDS = frozenset(
    "ability able abort absence absolute abstract accept accepted accepting accepts access accessed "
    "accessing according account accounts accuracy accurate achieve achieved across act acting action "
    "actions active acts actual actually adapted add added adding addition additions address "
    "addresses adds adjacent adjust adjusted advance advanced advantage advised affect affected "
    "affects agree agreed agreement ahead algebraic algorithm alias aliases aligned alignment alive "
    "allocated allow allowed allowing allows almost alone along alongside alpha already alter altered "
    "alternate although always ambiguity ambiguous among amount analysis analyze angle annotated "
    "another answer anymore anyone anything anyway anywhere apart appear appears append appended "
    "appending applied applies apply applying approach arbitrary archive area argument arguments "
    "arising around array arrays ask asked asking assert assertion assign assigned assigning assigns "
    "associate assume assumed assumes assuming async attach attached attempt attempted "
    "attempts attention attr attribute attrs auth author authors auto automatic available average "
    "avoid avoided avoids aware away aws axes axis back backend backends backslash backup backward "
    "backwards bad bare base based bases basic basically basis batch become becomes begin beginning "
    "begins behalf behave behaves behavior behaviour behind believe belong belongs benefit best beta "
    "better beyond big bigger binaries binary bind binding bindings bit bits blank blob block blocked "
    "blocking blocks body bogus bool boolean bother bottom bound boundary bounded bounds "
    "bracket brackets branch branches break breaking breaks broadcast broken browser bucket buffer "
    "buffered buffers bug bugs build building builds built builtin builtins bunch bundle button "
    "bypass byte bytes cache cached caches caching calculate call callable callables "
    "callback callbacks called caller callers calling calls came cancel cancelled candidate cannot "
    "canonical capacity capture captured care careful carefully carry case cases cast casting catch "
    "category caught cause caused causes causing cell cells center certain cfnlint chain chance "
    "change changed changes changing channel char character charge chars charset check checked "
    "checker checking checkout checks child children choice choices choose choosing chosen chunk "
    "chunks circular claim claims class classes clause clean cleaned cleanup clear cleared clearly "
    "click client clients clock clone close closed closes closest closing closure cluster code codes "
    "collect collected colon color colors column columns combine combined combining come comes coming "
    "comma command commands commas comment comments commit commits common commonly community compare "
    "compared compares comparing compile compiled compiler compilers compiling complain complete "
    "completed completes complex compliant component compute computed computer computes computing "
    "concrete condition config configure confirm conflict conflicts conform confused confusing "
    "confusion connect connected consider consists console constant constants construct construed "
    "consume consumed contact contain contained container contains content contents context contexts "
    "continue continued continues contract control controls convert converted converts copied copies "
    "copy copying copyright core corner coroutine correct corrected correctly cost count counted "
    "counter counting counts couple course cover coverage covered covers crash create created creates "
    "creating creation critical cross ctypes current currently cursor custom customer customize cycle "
    "cycles cyclic damages data database dataclass date dates datetime days deal dealing dealings "
    "debug debugger debugging decide decided decimal decision declare declared decode decoded "
    "decoding decorated decorator dedicated deemed deep default defaults define defined defines "
    "defining degree degrees delay delete deleted deletes deleting deletion delimiter delta dense "
    "depend dependent depending depends depth derived describe described describes design designed "
    "desired despite detail detailed details detect detected detection detects determine developed "
    "developer device diagonal dialog dicts diff differ different differs difficult digest digit "
    "digits dimension direct directed direction directive directly directory disable disabled "
    "disables disabling discard discarded discrete disk dispatch display displayed displays dist "
    "distance distinct distutils divide divided division docstring document documents domain domains "
    "done dot dots dotted double download draw drawing drawn drive drop dropped dtype dtypes dual due "
    "dummy dump duplicate duration dynamic earlier early easier easily easy edge edges edit edited "
    "editing editor effect effective effects efficient effort either element elements elif else "
    "elsewhere email embedded emit emitted empty enable enabled enables encode encoded encoding "
    "encodings encounter end ended ending endorse endpoint endpoints ends enforce enforced engine "
    "enough ensure ensures ensuring enter entered entering entire entirely entities entity entries "
    "entry enum equal equality equals equation equations error errors escape escaped escapes escaping "
    "essential estimate evaluate evaluated evaluates even event events ever every exact exactly "
    "example examples exc exceed exceeded exceeds except exception exchange exclude excluded "
    "excluding exclusive execute executed executes executing execution exercise exhausted exist "
    "existence existing exists exit exited exiting exits expand expanded expansion expect expected "
    "expecting expects expensive expired explain explained explicit exponent export exported exports "
    "expose exposed expr express expressed extend extended extension extent external extra extract "
    "extracted extremely fact factor factors factory fail failed failing fails failure failures "
    "fairly fake fall fallback falling falls false family far fashion fast faster fatal favor feature "
    "features fee feed fetch fewer field fields figure file filename filenames files fill filled "
    "filter filtered filtering filters final finally find finding finds fine finish finished finite "
    "first fit fitness fits five fix fixed fixes fixing fixture flag flags flattened flexible float "
    "floating floats flow flush focus folder follow followed following follows font force forced "
    "forces forever forget forgot fork form format formats formatted formatter formed former forms "
    "formula forward forwarded found four fraction fragment frame frames framework free freely "
    "frequency fresh front frozen full fully function functions furnished future gamma garbage "
    "gateway gave general generally generate generated generates generator generic get gets getting "
    "git give given gives giving global globals goal goes going gone good got governed governing "
    "grammar grant granted grants graph graphs greater group groups guarantee guard guess guide hack "
    "half hand handle handled handler handlers handles handling hang happen happened happens hard "
    "harmless hash hashable hashes head header headers height held help helper helpers helpful helps "
    "hence hereby herein heuristic hidden hide hierarchy high higher highest highlight highly hint "
    "hints history hit hold holder holders holding holds home honor hook hooks hope host hostname "
    "however huge human idea ideal identical identify identity ignore ignored ignores ignoring "
    "illegal image imaginary immutable impact implement implicit implied implies import important "
    "imported importing imports improve improved improving include included includes including "
    "inclusion incoming incorrect increase increased increases increment incurred indent indented "
    "index indexed indexes indexing indicate indicated indicates indices indirect infer inference "
    "inferred infinite infinity info inherit inherited inherits initial initially inject inline inner "
    "input inputs insert inserted inserting insertion inside inspect install installed installs "
    "instance instances instead intact integer integers integral integrate intended interact interest "
    "interface interfere internal internals interpret interval intervals introduce ints invalid "
    "invariant inverse invoke invoked invokes invoking involve involved involves involving isolated "
    "issue issued issues item items iterable iterate iterating iteration iterator job jobs join "
    "joined jump keep keeping keeps kept kernel key keyboard keyed keys keyword keywords kind kinds "
    "know knowledge known knows label labels lack lambda language languages large larger largest last "
    "late later latest latter launch law layer layout lazily lazy lead leading leads leak learned "
    "least leave leaves leaving left legacy legal length lengths less let lets letter letters level "
    "levels lexer liability liable libcst libraries library license licensed licenses licensing like "
    "likely limit limited limits line linear lines link linked linker linking links list listed "
    "listener listing lists literal literals little live load loaded loader loading loads local "
    "locale locally locals locate located location locations lock log logged logging logic logical "
    "logs long longer longest look looked looking looks lookup lookups loop loops lose loss lost lot "
    "lots low lower lowercase lowest machine machinery machines macro macros made magic magnitude "
    "mailing main mainly maintain maintains major make makes making malformed manage managed manager "
    "mandatory manner manual manually many map mapped mapping mappings maps mark marked marker "
    "markers marks markup mask master match matched matches matching material materials math matrices "
    "matrix matter matters max maximal maximum may maybe mean meaning means meant measure measures "
    "mechanism media medium meet member members memory mentioned menu merely merge merged merges "
    "merging mess message messages met meta metaclass metadata meth method methods middle might mind "
    "minimal minimize minimum minor minus mismatch missing mistake mixed mock mod mode model models "
    "modern modes modified modifies modify modifying module modules moment mostly moto mouse move "
    "moved moves moving mpmath much multiline multiple multiply must mutable mutate mypy mypyc naive "
    "name named names namespace naming native natural nature ndarray near nearest nearly necessary "
    "need needed needs negative neighbors neither nested nesting network networkx never new newer "
    "newline newlines newly next nice node nodes non none nonzero noqa norm normal normalize normally "
    "notation note noted notes nothing notice notices null number numbers numeric numerical obj "
    "object objects observed obtain obtained obtaining obvious occur occurred occurs odd offer "
    "offered offers official offset offsets often okay old older omit omitted one ones onto open "
    "opened opening opens openssl operate operates operating operation operator operators opposite "
    "optimal optimize optimized option optional options order ordered ordering orders ordinary origin "
    "original others otherwise outer output outputs outside overall overflow overhead overlap "
    "overload override overrides overview overwrite owned owner pack package packages packaging "
    "padding page pages pair pairs paper paragraph parallel parameter parent parents parse parsed "
    "parser parses parsing part partial partially parties partition parts party pass passed passes "
    "passing password past patch patches patent path pathname paths pattern patterns pauses payload "
    "peer pending people per perfect perform performed performs perhaps period permit permitted "
    "perpetual person persons phase pick pickle pickling piece pieces pip pipe place placed places "
    "plain plainly plan plane platform platforms please plot plugin plugins plus point pointer "
    "pointing points policies policy pool populate populated port portion portions position positions "
    "positive possible possibly post potential power powers practice pragma preceded preceding "
    "precise precision predicate prefer preferred prefix prefixed prefixes prepare prepared prepend "
    "prepended presence present preserve preserved preserves pretty prevent prevents previous "
    "primarily primary prime primitive principal print printed printing prints prior priority private "
    "probably problem problems procedure proceed process processed processes produce produced "
    "produces producing product products profile program programs progress project projects promote "
    "prompt prompts propagate proper properly property protect protected protocol protocols provide "
    "provided provider provides providing proxies proxy public publicity publicly publish published "
    "pull pure purely purpose purposes push pushed put puts putting pydantic pygments pytest python "
    "quadratic qualified queries query question queue quick quickly quite quote quoted quotes quoting "
    "race raise raised raises raising random randomly range ranges rank rare rarely rate rather ratio "
    "rational raw reach reachable reached reaches read readable reader reading reads ready real "
    "really reason reasons rebase receive received receives receiving recent recently recognize "
    "recommend record recorded recording records recover recurse recursion recursive redirect reduce "
    "reduced reduces reduction redundant ref refer reference referred referring refers reflect "
    "refresh refs regarding regexp region regions register registers registry regular reject rejected "
    "related relation relative release released releases relevant reliable relies rely relying remain "
    "remainder remaining remains remember remote removal remove removed removes removing rename "
    "renamed render rendered rendering repeat repeated replace replaced replaces replacing report "
    "reported reporting reports represent reproduce request requested requests require required "
    "requires requiring reserved reset resets resolve resolved resolver resolves resolving resource "
    "resources respect response responses rest restore restored restrict result resulted resulting "
    "results retain retained retries retrieve retrieved retrieves retry return returned returning "
    "returns reuse reused reverse reversed revision revisions rewrite rewritten rich right rights "
    "risk robust role room root roots round rounding route routine routines row rows royalty rule "
    "rules run runner running runs runtime safe safely said sale sample samples sampling sanity "
    "satisfied satisfies satisfy save saved saves saving say saying says scalar scalars scale scaled "
    "scaling scan scheduled schema schemas scheme schemes scipy scope screen script scripts scroll "
    "search searched searches searching second seconds secret section sections secure security see "
    "seed seeing seek seem seems seen sees segfault segment segments select selected selecting "
    "selection self sell semantic semantics send sending sends sense sensible sensitive sent sentinel "
    "separate separated separator sequence sequences serialize series serve server servers serves "
    "service services session sessions set sets setting settings setup several shall shallow shape "
    "shapes share shared sharing shell shift short shortcut shorter shortest show showing shown shows "
    "shutdown side sides sign signal signals signature signed signs silent silently similar similarly "
    "simple simpler simplest simplify simply since single singleton singular site situation size "
    "sizes skip skipped skipping skips slash sleep slice slices slightly slow slower small smaller "
    "smallest snapshot socket sockets software sole solely solution solutions solve solved solver "
    "solving somehow someone something sometimes somewhat somewhere soon sort sorted sorting source "
    "sources space spaces span sparse spawn spec special specific specified specifier specifies "
    "specify speed split splits splitting spurious square stable stack stage stale standard standards "
    "start started starting starts startup state stated statement states static status stay stays "
    "stdlib step steps still stop stopped stops storage store stored stores storing straight strange "
    "strategy stream streaming streams strict strictly string strings strip stripped strong strongly "
    "struct structure stub stuff style styles subclass subject submit submitted submodule subnet "
    "subset subtype succeed succeeded succeeds success suffix suggest suitable suite sum summary "
    "supplied supply support supported supports supposed suppress sure swap switch switching symbol "
    "symbolic symbols symlink symmetric sympy sync syntax sys system systems table tables tabs tag "
    "tagged tags tail take taken takes taking target targets task tasks team tell tells temp template "
    "templates temporary term terminal terminals terminate terms test tested testing tests text "
    "textual theme theory therefore thereof thing things think third though thought thread threading "
    "threads three threshold throw thrown throws thus tied time timeout times timestamp timezone "
    "title together token tokens told tolerance tool tools top topic total touch towards trace "
    "traceback tracing track tracking trade trademark trailing transfer transform translate transport "
    "traversal traverse treat treated treats tree trees trick tricky tried tries trigger triggered "
    "triggers trivial trouble true truncate truncated trust try trying tuple tuples turn turned turns "
    "twice two type typed types typical typically typing ugly unable unchanged undefined undo uniform "
    "union unique unit units unittest unknown unless unlike unlikely unlimited unpack unpacked unsafe "
    "unset unsigned unused update updated updates updating upgrade upload upon upper uppercase "
    "upstream usable usage use used useful user username users uses using usual usually utilities "
    "utility valid validate validated validates validator validity value values variable variables "
    "variant variants variety various vary vector vectors verbatim verbose verified verify version "
    "versions vertex vertical vertices via view virtual visible visit visual void volume wait waiting "
    "waits walk want wanted wants warn warning warnings warranty way ways web weight weighted weights "
    "weird welcome well went whatever wheel whenever whereas wherever whether white whole wide widget "
    "widgets width wildcard window windows wire wish within without word words work worked worker "
    "workers working works world worry worth wrap wrapped wrapper wrappers wrapping wraps writable "
    "write writer writes writing written wrong wrote year years yet yield yielded yielding yields "
    "zero zeros zone".split()
)
