"""What a user chooses and wants, as people say it: "I like option 1", "keep it in one file", 就用…, and
what answers a question or a proposal of the agent's.

It is read where no pattern of facts finds anything, and is less sure than those. Tasks of the moment,
questions, and what speaks only of what was just said are none of it.
"""

from __future__ import annotations

import re

from ...records.dataclasses import dataclass
from ...records.rows import FactKind
from ...text.language.phrases import APOSTROPHES, QUOTES, spoken_pattern
from ...text.language.same import gist
from ...text.language.scripts import SETTLED_HAN, has_unspaced, size_of
from ...text.language.sentences import split_sentences

ANY = re.IGNORECASE
LONGEST, SHORTEST = 240, 12
"""Characters of a sentence that says what somebody chooses or wants; Chinese ones count double."""
LAST_SENTENCES = 600
"""Characters of a reply's end in which it asks or proposes."""

_NUMBER = (
    r"(?:\d[\d.,]*|once|twice|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve"
    r"|(?:thir|four|fif|six|seven|eigh|nine)teen|(?:twen|thir|for|fif|six|seven|eigh|nine)ty|hundred)"
)
_UNIT = (
    r"(?:(?:an?|per|each|every) (?:hour|day|week|month|quarter|year|\w+day)|ms|milliseconds?|s|secs?"
    r"|seconds?|mins?|minutes?|h|hours?|days?|weeks?|months?|years?|[kmg]b|%|percent|attempts?|tries"
    r"|retries|times|per \w+|workers?|items?|lines?|rows?|entries|characters|threads?)"
)
_TASK = (
    r"(?:add|fix|run|commit|push|merge|go|do(?! not\b)|continue|proceed|check|look|try|test|write|create"
    r"|make me|open"
    r"|show|explain|tell|review|investigate|find|give|start|implement|build|update|deploy|rebase|please"
    r"|draft|install|read|see|let me|i'll|i will|can|could|delete|remove|exit|quit|leave the|log|file"
    r"|capture|debug|list|cancel|revert|undo|roll back|clean up|close|reply|respond|address|apply|hit|ship"
    r"|send|generate|ask|wait|rerun|re-run|squash|retry|restart|repeat|finish|skip|now|next|then|also)"
)

NOT_FORBIDDEN = (
    r"(?:(?:need|problem|idea|worries|(?:code )?changes?|one|way|more(?! than)|longer|rush|luck|good"
    r"|thanks?|thank you|doubt|clue|difference|effect|such|output|results?|errors?|issues?|warnings?|matter"
    r"|wonder|comments?(?= (?:from|on))|questions?|reason|sign|further|other|response|success|conflicts?"
    r"|response|answer|point|pressure|hurry|a|an|the|this|that|these|those|it|its|it's|i|i'm|we|you|he|she"
    r"|they|there|my|your|our|not|no|but|and|so|because|just|is|are|was|were|what|why|how|if|when|please"
    r"|still|only|actually|wait|sorry|stop|do|don't)\b|.*\b(?:was|were|found|failed|left|since|yet|now"
    r"|anymore|happens|shows?|appears?|exists?)\b)"
)
"""What follows a "no" that forbids nothing: it answers, or tells what is."""
WANTS: tuple[tuple[FactKind, float, re.Pattern[str]], ...] = (
    ("B", 0.9, spoken_pattern(r"^(?:new |our |the )?(?:rule|policy|convention|contract|requirement"
        r"|standard)\s*[:：]\s*(?P<what>.{8,})",
        ANY)),
    ("O", 0.85, spoken_pattern(r"^(?:from|as of|starting|since) (?:today|tomorrow|next \w+"
        r"|version \S+)(?: on)?[, ]+(?!it\b|this\b|that\b).{8,}|^.{8,120} from today(?: on)?$", ANY)),
    ("B", 0.8, spoken_pattern(rf"^.{{2,120}}\b{_NUMBER} (?:per )?\w+ from now on\b.*"
        rf"|^.{{4,120}}: .{{2,60}} from now on\b.*", ANY)),
    ("B", 0.7, spoken_pattern(r"^(?:.{0,60}[:,;.] ?)?(?:raise|lower|increase|decrease|reduce|cut|extend"
        r"|shorten|limit|cap) "
        rf".{{2,80}}? (?:to|at) (?:at (?:most|least) )?{_NUMBER} ?{_UNIT}\b.*", ANY)),
    ("B", 0.7, spoken_pattern(rf"^.{{2,60}}[:,;.] ?(?:make|set|change) (?:it|that|them|this) (?:to "
        rf"|down to |up to )?{_NUMBER}\b.*|^.{{2,60}}[:,;.] ?(?:let's |lets )?(?:go|come|get) (?:up"
        rf"|down|back) to {_NUMBER}\b.*"
        r"|^.{2,60}[:：，, ] ?那?就?[改调降升减加]到?[成为到]? ?[\d一二三四五六七八九十百半两].*"
        r"|^(?!i\b|it\b|he\b|she\b|what\b).{4,80}, .{2,30} instead$", ANY)),
    ("O", 0.8, spoken_pattern(r"^.{3,140}?,\s*(?:and |but )?(?:always|never)\b.*", ANY)),
    ("O", 0.7, spoken_pattern(r"^i (?:(?:do|really|also|still|just|quite|very much) )*(?:like|love|prefer"
        r"|want(?= (?:\S+ ){2,}\S))\b(?! to\b| you\b| us\b| me\b| it$| that$| this$| a look)(?! (?:a|an"
        r"|some) )"
        r".{4,}", ANY)),
    ("O", 0.7, spoken_pattern(r"^(?:i |we )?(?:don't|do not|dont|never) (?:really )?(?:want|like"
        r"|need)(?= (?:\S+ ){2,}\S)(?! to (?:know|see|ask)\b) (?!you to|it$|that$|this$).{4,}"
        r"|^i (?:don't|do not) think (?:we"
        r"|it|this|that|you|the \w+) (?:need|should|have to|want)\b.{4,}", ANY)),
    ("O", 0.7, spoken_pattern(r"^(?:i think )?(?:(?:for|in|on|by) [^,]{3,40},? )?(?:we|this \w+"
        r"|the [\w./`-]+(?: [\w./`-]+){0,3}|all \w+|every \w+|an? \w+(?: \w+)?|[a-z]{4,}s) (?:should|must"
        r"|shall|has to|have to|needs to) (?:just |only |not )?(?:be(?! (?:able|updated|added|committed"
        r"|merged|fixed|pushed|reviewed|tested)\b)|stay|remain|handle|go|live|come|use|look like|branch|say"
        r"|end|keep|follow|match|return|fail|wait|refer"
        r"|have|only|never|not)\b(?! in mind).{3,}", ANY)),
    ("O", 0.75, spoken_pattern(r"^i(?: would|'d)? (?:really |also |do |rather |would )*(?:like|prefer|want)"
        r" (?:to (?:use|keep|have|avoid|store|stay|support|allow|drop|remove|rename|hide|send|invert)|that"
        r"|if|the|one|no|all|every|people|users)\b(?! (?:a look|it|this|them)\b).{6,}",
        ANY)),
    ("O", 0.75, spoken_pattern(
        rf"^no (?!{NOT_FORBIDDEN}|{_TASK}\b)[a-z][\w-]*s? \S.{{2,140}}|^there (?:must|should"
        rf"|shall) (?:never be"
        r"|be no|be only|only be|be exactly|be one)\b.{4,}", ANY)),
    ("O", 0.75, spoken_pattern(r"^(?:please )?(?:we |you )?(?:don't|do not|dont|never) (?:use|log|store"
        r"|mock|write|add|put|import|create|call|hard-?code|expose|return|throw|catch|print|depend|do|ship"
        r"|allow|support|write) (?!(?:it|this|that|these|those|the|them|anything|any(?:thing)?|so)\b).{4,}"
        r"|^(?:please )?(?:don't|do not|dont) \w+ .{2,80}\b(?:on (?:every|each)|(?:every"
        r"|each) (?:single )?time)\b.*|^(?:.{3,60}, )?(?:i (?:think|feel) )?(?:it's|its"
        r"|it is) better (?:not )?to (?:use|store|keep|have|log|avoid).{6,}|^[\w -]{3,60} (?:is"
        r"|are) never .{3,80}, only .{3,}|^you (?:must|may|shall) not .{6,}|^avoid (?!(?:it|this|that"
        r"|the)\b).{6,}|^without (?:(?!\b(?:you|we|i|it|they)\b).){3,60}?,? (?:never|don't"
        r"|do not) .{4,}", ANY)),
    ("O", 0.75, spoken_pattern(r"^i(?: would|'d) rather not (?:have|use|add|depend|see|rely|keep|store"
        r"|ship)\b.{4,}|^(?:please )?(?:use|allow|accept|support|keep|store|write) only .{6,}|^only (?:use"
        r"|allow|accept|support|keep|store|write) .{6,}|^.{2,60} only, (?:no|not|never) .{3,}"
        r"|^not .{2,60}?,? but .{3,}", ANY)),
    ("O", 0.75, spoken_pattern(rf"^(?:请)?(?:(?!.*[你帮先])[{SETTLED_HAN}\w ]{{1,12}}?"
        r"[里中上前后时内]?)??[，,]?(?:都)?(?:不要|不准|不许|不得|禁止(?!了)|严禁|别(?![的人处急忘担怕说])"
        r"|不用(?= ?[A-Za-z]))再?.{2,}|^(?:没有?|未经).{1,12}?(?:之?前|，)?(?:不要|不能|不得|不准|不许|别"
        r"|禁止).{2,}|^(?:日志|代码|提交(?:信息)?|配置(?:文件)?|测试|接口|文档|注释|仓库)[里中]不(?:能"
        r"|可以).{2,}|^只(?:用|使用|支持|允许|保留)(?!了).{2,}|^每次都(?:要先|必须|得|重新|先|用).{2,}")),
    ("O", 0.75, spoken_pattern(r"^(?!(?:i|you|it|this|that|these|those|he|she|they)\b)(?:[\w./`-]+ ){1,6}"
        r"(?:(?:should|must|shall) (?:not|never|always)|(?:should|must|may|can) only)\b.{4,}", ANY)),
    ("B", 0.65, spoken_pattern(r"^(?:let's|let us|lets|we'll|we will) (?:just |also |only |completely "
        r"|instead |rather |always )*"
        r"(?:make|keep|use|call|name|stick|treat|hide|store|put|leave|drop|avoid|limit|cap|have|not|remove"
        r"|rename|set|replace|switch|disable|enable|default|support|allow|require|skip|return|go (?:with"
        r"|for))\b(?! (?:going|trying|it up|a look|in mind|up a|some|more|another)\b).{6,}", ANY)),
    ("B", 0.7, spoken_pattern(r"^(?!i\b|it\b|he\b|she\b).{0,80}\b(?:use|call|name|want|take|choose|go with"
        r"|switch to|keep|put)\b.{1,80}\binstead\b.*|^instead of .{1,60},? (?:use|call|name|we|just"
        r"|let)\b.{2,}", ANY)),
    ("O", 0.65, spoken_pattern(r"^please (?:don't|do not|never|only|always|keep|stick"
        r"|avoid)(?: just)? (?!anything|commit$|push$).{6,}", ANY)),
    ("B", 0.65, spoken_pattern(r"^(?:but |and )?(?:keep|leave) (?!going|trying|it up|in mind|me\b|an eye"
        r"|running|working).{6,}", ANY)),
    ("B", 0.6, spoken_pattern(r"^(?:i think )?we should (?!probably|always|never"
        r"|also|check|look|see|try|test|fix|discuss|talk|add|commit|push|run|capture|update|make sure"
        r"|write|keep in mind"
        r"|refer|have)\w+ .{6,}", ANY)),
    ("B", 0.65, spoken_pattern(r"^(?:i think )?we can (?:just |also |now |probably )*(?:drop|remove"
        r"|delete|keep"
        r"|hide|ignore|rename|replace|get rid of) (?!(?:it|this|that|them)\b).{6,}"
        r"|^不用.{1,20}[，,].{0,4}用.{2,}|^.{1,16}默认(?:为|是|用|收起|展开|打?开|关闭?|启用|禁用|显示|隐藏).{0,20}",
        ANY)),
    ("O", 0.6, spoken_pattern(r"^(?:we|you) (?:don't|do not) (?:have|need) to .{6,}"
        r"|^no need to .{6,}", ANY)),
    ("O", 0.65, spoken_pattern(r"^.{4,100} is (?:a bit |way |far )?too (?:much|complex|complicated|slow"
        r"|noisy|big|early)$", ANY)),
    ("B", 0.75, spoken_pattern(r"^(?:那么?|那就|就|还是|统一|直接).{0,6}(?:用|写|采用|改用|改成|保留|放"
        r"|走).{2,}")),
    ("B", 0.75, spoken_pattern(r"^(?!把).{1,12}(?:统一(?!了)|只(?:给|对|允许|用|支持|保留)(?!了)"
        r"|就叫|命名为).{2,}")),
    ("B", 0.75, spoken_pattern(r"^(?!把).{0,30}(?:定为|设为|改为|改成|换成|限制在|不超过|不再).{1,}")),
)  # fmt: skip
"""What is chosen or wanted, whatever was said before."""

OF_IT = spoken_pattern(
    r"^(?:(?:please|then|just|and|ok(?:ay)?)[, ]+)*(?:(?:make|set|change|switch|turn|put|bump|raise|lower"
    r"|reduce|increase) (?:it|that|them|this)|(?:let's |lets )?(?:go|come|get) (?:up|down"
    r"|back)(?= to))(?: back| up| down)?(?: to| into| at)? (?P<value>.{1,40}?)(?:,? (?:please|instead|then"
    r"|from now on))*$|^(?:那|就|再|还是|请|把它|直接)*(?:[改调降升减加换]到?[成为到]?|设[为成]"
    r"|换成) ?(?P<chinese>[^，。,]{1,16}?)(?:吧|了|好了)?$",
    ANY,
)
"""A change of what was spoken of last, which names the new value alone."""
CHANGED = spoken_pattern(
    r"^(?:please |just |also )*stop (?:\w+ing) (?!(?:it|that|this|there|here|now)$).{3,}|^(?!(?:it|this"
    r"|that|there|here|everything|all|tests?|what|you|we|i)\b)(?:[\w-]+ ){1,3}(?:is|are) now .{2,}"
    r"|^.{1,12}(?:现在|已经?)?(?:改[成为用]|换成|设[为成]).{1,}|^.{0,12}不用(?!了).{2,}了$",
    ANY,
)
"""What changes a decision, where there is one of it, and is a task or a state where there is none."""
REVISES = spoken_pattern(
    r"^(?:(?:ok(?:ay)?|hm+|no|oh|well|sorry|wait|ah)[, ]+)*(?:actually|on second thoughts?"
    r"|thinking (?:again|about it)|scratch that|forget that|no,? wait|strike that|let's rather"
    r"|i changed my mind|rather)\b|\b(?:after all|instead)[.!]?$|^(?:算了|等等|不对|还是|我改主意)",
    ANY,
)
"""How somebody comes back on what he answered before."""
BACK = spoken_pattern(
    r"^(?:(?:scratch|forget|strike) that|(?:on )?second thoughts?|no,? wait|算了|等等"
    r"|不对)[,，.。:： ]+(?=\S)",
    ANY,
)
"""How somebody begins who puts something else in the place of what he said."""

RETRACTS = spoken_pattern(
    r"^(?:(?:no|ok(?:ay)?|actually|wait|hm+|sorry|please)[, ]+)*(?:never ?mind(?: (?:that|the) (?:rule"
    r"|instruction))?|(?:never ?mind[,. ]+)?(?:forget|ignore|disregard|scratch|strike|drop|undo) (?:that"
    r"|this|it|what i (?:just )?said|(?:my |the )?last (?:message|instruction|rule))(?: (?:rule"
    r"|instruction|decision|one))?(?: about (?P<about>.{3,60}?))?(?: again)?)(?:,? please)?$"
    r"|^(?:算了[，,。]?)?(?:当我没说|忘了?(?:它|这条|那条|我(?:刚才|之前)?说的)|[那这][条个](?:规则|要求"
    r"|约定)?(?:作废|取消|不算)|忽略上一条)[了吧]?$",
    ANY,
)
"""How somebody takes back what he said, and says nothing in its place."""
OBJECT_ALONE = spoken_pattern(
    r"^(?:please |just |then |so |and |let's |but )*(?:keep|put|make|leave|move|call|name|store|use|set"
    r"|take|add|remove) (?:it|this|that|them|these|those)\b",
    ANY,
)
"""What is to be done with something that was named before."""

SETTLES: tuple[tuple[FactKind, float, re.Pattern[str]], ...] = (
    ("B", 0.7, spoken_pattern(rf"^(?!i\b|it\b|he\b|there\b|why\b"
        rf"|(?:{_TASK})\b|.{{0,60}}\b(?:seems?|took|failed|was|were)\b).{{0,120}}\b{_NUMBER}(?:(?<=\d)"
        rf"| ){_UNIT}\b.*", ANY)),
    ("B", 0.65, spoken_pattern(r"^then (?:put|use|make|keep|store|set|let|go with|take|write|call|name|send"
        r"|cache) (?!it$|that$|me\b).{6,}",
        ANY)),
    ("B", 0.7, spoken_pattern(r"^.{0,60}(?:最多|最少|至少|不超过|不少于|上限|下限).{2,}")),
    ("B", 0.75, spoken_pattern(r"^.{0,20}先.{1,12}再.{2,}")),
)  # fmt: skip
"""What is settled where it answers what an agent found or proposed."""

TELLS = (
    r"(?!.*\b(?:(?:has|have) (?:already )?(?:been )?\w+(?:ed|en|lt)"
    r"|(?:we|you|i) (?:need|have|should|are|were|was)|you (?:decide|choose|pick)|up to you"
    r"|is (?:done|ready|running|there|fixed|live))\b|(?:before|after|once|while|when|as soon as)\b)"
)
"""What is no choice: what has been done, what is to be done now, and when."""
AGREES = spoken_pattern(
    rf"^(?:(?:yes|yep|yeah|ok(?:ay)?|sure|fine|right|agreed)[,.!:]?|(?:no|rather not|(?:neither"
    rf"|none)(?: of (?:them|these|those|the two))?)[,.!:]) (?:but |and )?(?!(?:and|{_TASK}|let's|lets"
    rf"|let us|i'm|im|i (?:feel|think|guess|believe|see|know|agree)|that|this|it|sounds|looks|works"
    rf"|the \w+ (?:is|are))\b){TELLS}(?P<what>.{{8,}})",
    ANY,
)
NOUNS = spoken_pattern(
    rf"^{TELLS}(?!(?:{_TASK}|i|it|he|she|they|we|you|there|this|that|why|so|and"
    rf"|im|i'm|ive|i've|let's|lets)\b)[ -~{APOSTROPHES}{QUOTES}–—]{{8,120}}$",
    ANY,
)
"""What answers a question in a few words."""
_FINE = (
    r"(?:great\w*|good|fine|nice|ok(?:ay)?|perfect|right|correct|excellent|awesome|cool|better|best|lovely"
    r"|clean|done|amazing|reasonable|sensible|solid|ready)"
)
NODS = spoken_pattern(
    rf"^(?:{_TASK}\b.*|(?:(?:and|so|but|then|that|this|it|these|they|those|everything|all|both|i think"
    rf"|the \w+|yes|sure)[ ']+(?:s\b)?)*(?:(?:all|now|just|really|very|quite|pretty|so|is|are|it's|that's"
    rf"|this's|also) )*(?:(?:looks?|sounds?|seems?|works?|working|reads?|feels?|is|are|does|did"
    rf"|do)\b.{{0,30}}|{_FINE}\b.{{0,24}}"
    r"|(?:fine|happy|good|ok(?:ay)?|i(?:'m| am) (?:\w+ )?(?:happy|fine|good|ok(?:ay)?)) (?:by|with"
    r"|for)\b.{0,30}|(?:exactly|precisely|lgtm|agreed|absolutely|indeed|nope|thanks?|thank you|cheers|go"
    r"|thing|keep it up|go on|sure thing|please|ta|same here|no more|to me|for me|that's (?:what|it|all"
    r"|how)|what i (?:meant|wanted))\b.{0,30}))\W*$",
    ANY,
)
"""A clause that takes what was said or done for good, or orders the next step: nothing that lasts."""
ASKS = spoken_pattern(
    r"[?？]\W*$|\b(?:i'd|i would|i can|i could|i) (?:suggest|propose|recommend|cap|use|go|keep|make|add"
    r"|put)\b|\bwhich\b|\bproposal\b|建议|可以选择|要不要|是否",
    ANY,
)


MOMENT_ASKED = spoken_pattern(
    r"\b(?:next|first|start with|begin with|continue with|tackle)\b[^?？\n]*[?？]|\b(?:commit|push|rebase"
    r"|merge) (?:now|it|this|these|and)\b|\b(?:should|shall|do|look)\b.{0,12}\b(?:i|at) (?:look|commit|push"
    r"|review|read|check|merge|wait|stop|continue|proceed|start|open|run|do)\b|下一[个步]|先做|接下来|做什么|还有",
    ANY,
)
"""A question about what to do now."""
WANTED_NEXT = spoken_pattern(
    r"^(?:(?:do you )?want (?:me|to|this|it|them|these|those)|would you like (?:me|to)|shall i)\b", ANY
)
"""An agent's question on what it does next."""
VALUE_ASKED = spoken_pattern(
    r"^(?:and |so )?(?:(?:which|what) (?!do you think|would you)|how (?:long|many|much|often|large|big|old)"
    r"|where)\b.*\b(?:should|shall|do we|would you like|do you want|may|must|at (?:most|least))\b.*\?$"
    r"|^(?!(?:is|are|does|did|do|was)\b)[\w'-]+(?: [\w'-]+){0,2},? or (?:[\w'-]+ ?){1,3}\?$|^(?:and "
    r"|so )?(?:should|shall|do we|would you like|do you want)\b.* or .*\?$|(?:多少|多长|多久|多大|几[^乎点]"
    r"|哪[个种里]|什么)|还是[^，。?？]{1,20}[?？]$",
    ANY,
)
SAYS_VALUE = spoken_pattern(
    r"^\w+ (?:it|them|that) (?:as|in|at|to|on|under|with|after|every) .{2,60}$|^(?:port "
    r"|version )?[\w./:-]*\d[\w./:-]*$"
    rf"|^{_NUMBER}$" r"|^(?!(?:both|none|either|neither|sure|ye[ahps]+|no(?:pe)?|ok(?:ay)?|skip"
    r"|whatever|nothing|lgtm|fine|good|done|cool|great|thanks|idk|never)$)[a-z]{3,8}$"
    r"|^(?![都随你好可行不嗯没谢])(?!.*都不).*(?:\d|[一二三四五六七八九十百两半]).*$"
    r"|^(?![都随你好可行不嗯没谢看继是对改用先再就])(?!.*都不)[\u4e00-\u9fff]{2,6}$", ANY,
)  # fmt: skip
"""A value alone."""
SHORT_ANSWER = 60
CLAUSES = spoken_pattern(r"\s*[,;:.!–—，；：。！]\s*(?:and |then |so |but )*|\s+(?:and|then)\s+|\s+-\s+")

OF_THE_MOMENT = spoken_pattern(
    r"\b(?:(?:this|that) (?:situation|use case|case|scenario)|for now|right now|yet|at the moment"
    r"|just this once|in the meantime)\b|^[^,;]*\bnow[.!]?$"
    r"|^.{0,12}\b(?:anything|something) (?:else )?(?:yet|now)?$|\blast message\b|\bwrong chat\b|\bre-?run\b"
    r"|\b(?:an? )?(?:commit(?! messages?\b)|push|pr|pull request|draft)\b.{0,20}$|\bthis (?:pr|mr|commit"
    r"|branch|task|turn|change)\b|\b(?:task|step|phase|pr) #?\d+\b|暂时|先别|这次|刚才|这里|其他(?:文件"
    r"|地方|文字|代码)|别的|这个|那个|只需要|^/[\w:.-]+$",
    ANY,
)
POINTS = spoken_pattern(
    r"^(?:\w+ ){0,3}(?:do|use|like|want|keep|leave|take|name|call|put) (?:it|that|this|them|these"
    r"|those)[.!]?$|\b(?:above|below|the following|as follows|this in mind)\b|^here\b|\b(?:from|see|look|in"
    r"|over|right) here\b|[:：]$",
    ANY,
)


@dataclass(frozen=True, slots=True)
class Choice:
    """What is chosen or wanted, its kind and how sure that is (0 to 1). `is_agreed`: the agent proposed
    it, or asked. `is_change`: it holds only in the place of something."""

    what: str
    kind: FactKind
    confidence: float
    is_agreed: bool = False
    is_change: bool = False


def choice_of(
    text: str, before: str = "", *, is_short: bool = True, is_whole: bool = False, is_first: bool = False
) -> Choice | None:
    """Return what a user's sentence chooses or wants; None for nothing. `before` is the reply that it
    answers, "" for none; `is_short` is whether it stands in a short prompt, as answers are, `is_whole`
    whether it is all of it, `is_first` whether it begins it."""
    said = text.strip().rstrip(" .。!！;；,，")
    if size_of(said) > LONGEST:
        return None
    question = question_at_end(before) if is_short else ""
    is_short_answer = (
        (is_whole or (is_first and SAYS_VALUE.match(said)))
        and size_of(said) <= SHORT_ANSWER
        and not MOMENT_ASKED.search(question)
    )
    is_value = is_short_answer and VALUE_ASKED.search(question) and not WANTED_NEXT.match(question)
    value = question if is_value else ""
    if OF_IT.match(said):
        return Choice(f"{value} {said}" if value else said, "B", 0.7, bool(value), is_change=not value)
    if (size_of(said) < SHORTEST and not value) or OF_THE_MOMENT.search(said) or POINTS.search(said):
        return None
    if OBJECT_ALONE.match(said):
        return Choice(f"{question} {said}", "B", 0.6, is_agreed=True) if question else None
    if value and SAYS_VALUE.match(said) and size_of(said) < SHORTEST:
        return Choice(f"{question} {said}", "B", 0.6, is_agreed=True)
    signs = (*WANTS, *SETTLES) if before and is_short else WANTS
    for kind, confidence, pattern in signs:
        if match := pattern.match(said):
            what = match["what"] if "what" in pattern.groupindex else said
            return Choice(what, kind, confidence)
    match = AGREES.match(said)
    is_nod = all(map(NODS.match, CLAUSES.split(match["what"] if match else said)))
    if value and (SAYS_VALUE.match(said) or (NOUNS.match(said) and not is_nod)):
        is_cryptic = size_of(said) < SHORTEST or not _takes_up(said, before)
        return Choice(f"{question} {said}" if is_cryptic else said, "B", 0.6, is_agreed=True)
    if CHANGED.match(said):
        return Choice(said, "B", 0.7, is_change=True)
    is_moment = is_nod or not is_short or MOMENT_ASKED.search(question)
    if match is None or is_moment or has_unspaced(said) or not ASKS.search(before[-LAST_SENTENCES:]):
        return None
    return Choice(match["what"], "B", 0.65, is_agreed=True)


def _takes_up(said: str, before: str) -> bool:
    """Return whether an answer has a word of what it answers."""
    return not gist(said).words.isdisjoint(gist(before[-LAST_SENTENCES:]).words)


def question_at_end(reply: str) -> str:
    """Return the last sentence of a reply where it asks, else ""."""
    sentences = split_sentences(last_line(reply))
    return sentences[-1] if sentences and sentences[-1].endswith(("?", "？")) else ""


def last_line(reply: str) -> str:
    return reply.rstrip(" *)\n").rsplit("\n", 1)[-1]
