"""The patterns by which a sentence is told: that it states a fact outright, or takes it back; that in a
reply it is chatter, a finding, a decision, a plan or an answer. English and Chinese."""

from __future__ import annotations

import re

from ...records.rows import FactKind
from ...text.language.phrases import (
    CHINESE_DECIDED,
    CHINESE_FROM_NOW,
    CHINESE_NOUNS,
    CHINESE_SUPPOSING,
    SUPPOSING,
    WE_DECIDED,
    spoken_pattern,
)
from ...text.language.scripts import SETTLED_HAN

ANY = re.IGNORECASE
Sign = tuple[FactKind, float, re.Pattern[str]]
"""The kind of what a pattern states, how sure that is, and the pattern."""

WE = r"(?:we|i|the team|they)(?:'ve| have|'re| are)?"
KNOWN_TOOLS = spoken_pattern(
    r"(?<![\w./-])(pytest|unittest|ruff|mypy|black|pip|uv|poetry|npm|pnpm|yarn|bun|deno|node|react|vue"
    r"|svelte|angular|vite|webpack|jest|vitest|playwright|cypress|eslint|prettier|typescript|javascript"
    r"|python|golang|rust|java|kotlin|swift|ruby|rails|django|flask|fastapi|spring|redis|sqlite"
    r"|postgres(?:ql)?|mysql|mongodb|kafka|rabbitmq|elasticsearch|docker|kubernetes|terraform|ansible|nginx"
    r"|graphql|grpc|rest|git|github|gitlab|jenkins|aws|gcp|azure|linux|macos|windows|makefile|make|cmake"
    r"|gradle|maven|cargo|tailwind|css|html|json|yaml|toml|markdown|celery|airflow|spark|pandas|numpy"
    r"|pytorch|tensorflow|openai|anthropic|claude|codex|gemini|copilot|cursor|vim|neovim|emacs|vscode|tmux"
    r"|zsh|bash|fish|ci|cd|sqlalchemy|alembic|prisma|textual|typer|rich|apsw)(?![\w-])",
    re.IGNORECASE,
)  # fmt: skip
REMEMBER: tuple[Sign, ...] = (
    ("W", 0.95, spoken_pattern(r"^(?:please |also |and |just )*(?:remember|note|keep in mind|for the record"
        r"|fyi|bear in mind)(?: also)?(?:(?: that)?,? (?=(?:we|you|i|our|my|this (?:is|project|repo)|it's"
        r"|there(?:'s| is| are)|(?:to )?(?:always|never)|don't|do not|all|every)\b)| that\b"
        r"|[:,])\s*(?:to (?=always|never))?(?P<what>.+)", ANY)),
    ("W", 0.95, spoken_pattern(r"^(?:请|你要|一定要|务必)*(?:记住|记下|牢记|请注意|别忘了"
        r"|备忘)(?:一下)?[，,：: ]*(?P<what>.+)")),
)  # fmt: skip
"""What is to be remembered, whatever it is."""

RULES: tuple[Sign, ...] = (
    # What the user settles.
    ("B", 0.75, spoken_pattern(r"^go with .+", ANY)),
    ("B", 0.8, spoken_pattern(rf"^(?:let's|let us|we'll|we will|please) use .{{1,60}} (?:instead of"
        rf"|rather than|and not) .+|^use {KNOWN_TOOLS.pattern} ?(?:instead of|rather than|over"
        rf"|,? ?(?:and |but )?(?:not|never|(?:do not|don't)(?: ever)? use)) {KNOWN_TOOLS.pattern}.*", ANY)),
    # What is always or never to be done.
    ("O", 0.9, spoken_pattern(r"^.{3,120}?[,;] (?:and |but |so |then )?(?P<what>(?:from now on"
        r"|going forward)[, ]+(?!it\b|this\b|that\b|they\b).+)", ANY)),
    ("W", 0.8, spoken_pattern(r"^(?:in|for) (?:this|our) (?:repo(?:sitory)?|project|codebase"
        r"|team),? we (?:always |only )?(?:use|run|write|keep|ship|deploy) .+", ANY)),
    ("W", 0.8, spoken_pattern(rf"^(?:(?-i:[{SETTLED_HAN}]){{2,6}})?我们(?:都|只|统一)?(?:用"
        rf"|使用) ?{KNOWN_TOOLS.pattern}.*", ANY)),
    ("O", 0.85, spoken_pattern(r"^(?:所有|新的?)?(?:函数|接口|代码|提交|注释|测试|变量|命名|文件名|分支"
        r"|文档|方法|组件|日志|配置|依赖|异常|迁移|脚本|SQL|API|PR)名?[都也]?必须(?!先).{2,}")),
    ("O", 0.9, spoken_pattern(r"^(?:please |and |also |but |so |in (?:this|our) (?:project|repo(?:sitory)?"
        r"|codebase),? |for (?:this|our) \w+,? |when .{3,60}?, )*(?:you (?:should"
        r"|must) )?(?:always|never) (?!mind\b|been\b|was\b|were\b|seen\b|had\b|got\b|gets\b"
        r"|is\b|has\b|say\b|thought\b|works?\b|fails?\b|returns?\b|\w+s\b(?<!ss))\w+.+", ANY)),
    ("O", 0.9, spoken_pattern(r"^(?:from now on|in (?:the )?future|going forward|henceforth)[, ]+(?!(?:it"
        r"|this|that|they)\b|(?:we|i) (?:could|might|may)\b).+", ANY)),
    ("O", 0.85, spoken_pattern(r"^prefer \w.+", ANY)),
    ("O", 0.9, spoken_pattern(r"^(?:请|你|我们|大家|项目里|这个项目|所有.{1,12}|.{1,8}[前后时]|代码"
        rf"|提交)*[，,]?(?:{CHINESE_FROM_NOW}|从现在起|从今以后|往后|始终|总是|一律|永远|务必"
        r"|一定要)[，,]?(?:.{1,6}(?=请|都|要|用))?(?:都|要|请|只|不要|别|不能|不得|不许|不再|先|用|使用"
        r"|统一)+.+")),
    ("O", 0.9, spoken_pattern(r"^(?:所有.{1,12}|每次.{1,8}|.{1,8}[前时]|代码|提交"
        rf"|{CHINESE_FROM_NOW})[，,]?(?:都"
        r"|也)*必须.+")),
    # The same, said otherwise.
    ("O", 0.9, spoken_pattern(r"^(?:please |and |also |but |so )*(?:make sure (?:that )?(?:you |we |to )?"
        r"|be sure to |i (?:want|need|expect) you to |you (?:should|must|have to|need to) |we (?:should "
        r"|must |need to )?(?:just )?)(?:always|never) (?!mind\b|got\b|had\b|were\b|was\b|been\b|saw\b"
        r"|did\b|wrote\b|seen\b|know\b|said\b)\w+.+", ANY)),
    ("O", 0.85, spoken_pattern(r"^(?:please )?\w+ (?!you\b|i\b|we\b).{4,160} (?:from now on"
        r"|from here on(?: out)?|going forward|every (?:single )?time)$", ANY)),
    ("O", 0.85, spoken_pattern(r"^(?:let's|i'd like you to) (?:always|never) .+", ANY)),
    ("O", 0.85, spoken_pattern(r"^(?:please )?(?:don't|do not|never) ever \w+ .+|^(?:please )?(?:don't"
        r"|do not|never) \w+ (?:.{2,100} )?unless (?:i|we|you're|told|asked|it's|it is)\b.*",
        ANY)),
    ("O", 0.8, spoken_pattern(r"^(?:please )?stop (?:adding|using|writing|creating|leaving|putting"
        r"|including|generating) (?!the\b).+", ANY)),
    ("O", 0.85, spoken_pattern(r"^(?:all|every|each|any|no) (?!of\b|one\b).{2,50} must (?:always |never "
        r"|not |only )?\w+ .+", ANY)),
    ("W", 0.8, spoken_pattern(rf"^we (?:don't|do not|no longer) use {KNOWN_TOOLS.pattern}.*", ANY)),
    ("O", 0.9, spoken_pattern(rf"^(?:请|{CHINESE_FROM_NOW}|我们|项目里?|全部|所有.{{1,12}}"
        rf"|.{{1,10}}[里中上]|[{SETTLED_HAN}]{{2,8}})?[，,]?(?:都|全部)?统一"
        r"(?:用|使用|采用|改用|走|放|写|叫|为)(?!的).+")),
)  # fmt: skip
"""What is settled, or always or never to be done: an order where a user says it, advice or a quotation
where an assistant does."""

TAKEN_BACK: tuple[Sign, ...] = (
    ("B", 0.8, spoken_pattern(r"^we (?:no longer (?:use|run on|support|host|deploy|write|ship|keep|target)"
        r"|(?:have |'ve )?(?:now )?stopped using) .+|^(?:we|(?:our|the) [\w-]+(?: [\w-]+)?) (?:do(?:es)?n't"
        r"|do(?:es)? not) (?:use|run (?:on|in)|live in) .+ any ?more\b.*"
        r"|^(?:(?:our|the) )?[\w-]+(?: [\w-]+)? (?:ha[sd] |was )?moved to(?-i:(?: [A-Z\d][\w.&+-]*){1,4})$",
        ANY)),
    ("O", 0.75, spoken_pattern(r"^you (?:can|may)(?: now)? use (?!(?:the|my|your)\b).+ (?:now|again"
        r"|after all|from now on)$|^(?:forget (?:what|that) i said[,:]? )?(?!it\b|this\b|that\b)[\w-]+"
        r"(?: [\w-]+){0,3} (?:(?:is|are) (?:fine|ok(?:ay)?)\b.{0,20} after all|(?:is|are) (?:allowed"
        r"|permitted)\b.{0,30} (?:now|again|after all))$", ANY)),
    ("O", 0.75, spoken_pattern(rf"^(?:现在|{CHINESE_FROM_NOW})你?可以用(?!.*[这那它]).{{1,20}}了$"
        r"|^要用(?!.*[这那它你我他吗呢]|多|什么|哪|几|到|的).{1,20}$")),
)  # fmt: skip
"""What a user allows again, or says to hold no longer."""

HELD: tuple[Sign, ...] = (
    # What was decided.
    ("B", 0.9, spoken_pattern(rf"^(?:.{{0,60}}?[,;:] |after .{{3,60}}? )?(?:so |and |ok(?:ay)?,? "
        rf"|then )*{WE} (?:just |now |finally |already )*(?!(?<=\bi )agreed)(?:{WE_DECIDED})\b"
        r"(?! if| whether)", ANY)),
    ("B", 0.9, spoken_pattern(r"^(?:the )?(?:decision|agreed|decided)(?: is| was)?(?: to\b"
        r"|[:：])\s*(?P<what>.+)", ANY)),
    ("B", 0.85, spoken_pattern(r"^(?:from now on,? )?(?:we|the team)(?:'ve| have|'re| are)? (?:going with"
        r"|switched (?:from|to)|migrated (?:from|to)|moved (?:from .{2,40} )?to|standardi[sz]ed on"
        r"|dropped support|(?<='re )(?:standardi[sz]ing on|switching to|migrating to|sticking (?:with"
        r"|to)))\b",
        ANY)),
    ("B", 0.9, spoken_pattern(r"^(?:最终|最后|经讨论|讨论后|今天|所以|那|这次)*[，,]?(?:我们|团队|我"
        rf"|大家)?(?:已经|最终|最后|一致)*(?:{CHINESE_DECIDED}|确定)(?:了|使用|采用|用|改用|把"
        r"|将|不再|不用|放弃|保留|改为|换成|继续|只|好|：|:).+")),
    ("B", 0.85, spoken_pattern(r"^(?:我们|团队|大家)约定(?!俗成|是).{3,}")),
    # What somebody likes.
    ("O", 0.85, spoken_pattern(r"^(?:personally,? )?(?:i|we|the user|the team) (?:really |strongly |much "
        r"|generally |usually |always )*(?:prefer|prefers|like to|insist)\b.+", ANY)),
    ("O", 0.85, spoken_pattern(r"^the (?:rule|convention|policy) (?:here )?is[: ]+(?:no|never|always|that"
        r"|to)\b.+|^(?:my|our|the (?:team|user)'s) (?:preference|convention|rule|style|policy"
        r"|standard)s? (?:is|are)\b.+", ANY)),
    ("O", 0.85, spoken_pattern(r"^(?:我|我们|用户|团队|个人)(?:个人)?(?:更|比较|一般|通常|平时|都|还是"
        r"|一直)*(?:偏好(?!设置|页|面板)|喜欢|倾向于?|习惯用?|习惯于)(?:用|使用|是|把|在|让|先)?.+")),
    ("O", 0.85, spoken_pattern(r"^(?:我的|我们的|用户的|团队的|项目的)?(?:偏好|习惯|约定|规范|规矩|风格"
        r"|原则)(?:是|：|:|为)\s*.+")),
    # What the project is like.
    ("W", 0.8, spoken_pattern(r"^(?:this|the|our) (?:project|repo(?:sitory)?|codebase|app(?:lication)?"
        r"|service|backend|frontend|api|team|build|pipeline|ci|database|server|cluster|staging"
        r"|production)(?: \w+)? (?:uses?|runs? (?:on|in)|is (?:written in|built (?:with|on)|hosted (?:on|in"
        r"|at)|deployed (?:on|to)|based on)|lives? (?:in|at|under)|depends on|requires?|targets?"
        r"|supports? only)\b.+", ANY)),
    ("W", 0.8, spoken_pattern(r"^(?:我们的?|本|这个|该)?(?:项目|仓库|后端|前端|服务|接口|数据库|系统|线上"
        r"|测试环境|生产环境|预发环境|团队|流水线)(?:目前|现在|都|统一|是)*(?:使用|采用|部署在|运行在|基于"
        r"|依赖|跑在|托管在|用的是|只支持|用)(?!不|吗|什么).+")),
    ("W", 0.7, spoken_pattern(rf"^[Ww]e (?:use|run|write|deploy with) (?:“_+”|[A-Z][\w.+#-]*"
        rf"|{KNOWN_TOOLS.pattern})"
        r".*\b(?:for|in|as|on|to|everywhere)\b.*")),
)  # fmt: skip

"""What is decided, liked, or true of a project, whoever says it."""

MOMENTARY = spoken_pattern(
    r"\b(?:for now|right now|just once|for the moment|at the moment|temporarily|until|next (?:step|commit"
    r"|pr)|this (?:time|once|one|turn|round|pr|mr|commit|task|change|branch|function|method|class|file|line"
    r"|step|issue|bug|prompt|session|message|feature|plan|part|section|view|screen|page|button|moment|case"
    r"|approach|option|way)|before (?:you|we|i) (?:continue|proceed|start|begin|move)|(?:above|below"
    r"|earlier|aforementioned))\b|^now,? |[ ,]now$|这次|本次|此次|这一次|暂时|[先]不|[先]别|先不要|目前先"
    r"|现在先|刚才|刚刚|上面|以上|下面|其他|别的|[这那](?:个|些|种)?(?:文件|函数|方法|按钮|页面|问题|任务"
    r"|分支|提交|组件|接口|改动|测试|地方|方案|步骤)",
    re.IGNORECASE,
)
"""What holds for this turn alone, or speaks of what is on the screen now."""

DEICTIC = spoken_pattern(
    r"^[^,;，]*\b(?:it|this|that|them|these|those|so|one|there|either|both|yours|too|also)$|^(?:please "
    r"|just |also )*(?:(?:always|never|stop|use|prefer|keep|leave|i(?: really)?|we|(?:don't|do not|let's"
    r"|we'll|we will|we should|we must)(?: just)?(?: ever| always| never)?)(?: \w+)?(?: with| to)?|(?:go"
    r"|stick) (?:with|to)) (?:it|this|that|them|these|those|both|your|what you|the (?:others|rest)"
    r"|(?:the )?(?:first|second|other|same|current|new|old|latter|former|above|simpler?)(?= (?:one"
    r"|approach|version|way)|$)|option|approach|plan|(?:the |your )(?:fix|change|suggestion|proposal"
    r"|recommendation)|[a-c]|\d+)\b|(?:用|选|要|按|改成|采用)(?:这|那|它|你|上|前|后|第)",
    re.IGNORECASE,
)
"""What speaks of something that was just said or shown, and says nothing without it."""

STATES = spoken_pattern(
    r"\b(?:is|are|isn't|aren't|has|have|uses?|lives?|runs?|needs?|requires?|must|should|can(?:not|'t)?"
    r"|won't|will|do(?:es)?(?:n't)?|expires?|depends?|only|supports?|takes?|goes|comes?|points?|allows?"
    r"|means?|always|never|stays?|belongs?|contains?|returns?|expects?|decided|agreed|prefer)\b|'(?:s|re|ll"
    r"|ve)\b|^(?:we|you|they) \w+|(?-i:[\u2e80-\uffff])",
    re.IGNORECASE,
)
"""The verb of something that holds, without which a remark is a fragment."""

PASSING = spoken_pattern(
    r"\b(?:was|were|did|didn't|went|got|had|just|bug|broken|fail(?:s|ed|ing|ure)?|error|crash(?:es|ed)?"
    r"|typo|wrong|pre-existing|unrelated)\b|^you (?:also )?(?:have|can|may)\b",
    re.IGNORECASE,
)
"""What a remark tells of what has just happened."""

QUESTION = spoken_pattern(
    r"[?？]\s*[\"”'）)]*$|(?:吗|呢|么|没有|行不行|好不好|对不对|可以不|是不是)[。.!！~]*$|^(?:should|shall"
    r"|do (?:i|you|we|they|these|those|the|any)|does|did|can|could|would|will|is|are|was|were|have|has"
    r"|what|why|how|which|who|when (?:do|does|did|will|can|is|are|should)|where|isn't|aren't|don't we"
    r"|didn't)\b(?!.*: )|是否|要不要|该不该|能不能|为什么|怎么(?!样都)|如何|哪个|什么时候|有没有|是不是",
    re.IGNORECASE,
)
HYPOTHETICAL = spoken_pattern(
    rf"^(?:{SUPPOSING}|imagine|say|let's say|what if|maybe|perhaps|possibly)\b"
    r"|\b(?:if (?:we|i|you|they)|we (?:could|might|may|would)|i (?:could|might|may|would|think|guess"
    r"|wonder)|you (?:could|might|may(?! (?!want).* from now on\W*$))|would"
    r" (?:prefer|rather|like)|might (?:want|prefer)|could (?:decide"
    r"|prefer)|not sure|i'm unsure|thinking (?:about|of)|considering|consider(?:ing)? (?:whether|if)"
    r"|until we decide|once we(?:'ve| have)? decide|when we decide|have(?:n't| not) decided|wish we had"
    r"|should have|would have|supposedly|allegedly|pretend|for example|e\.g\.|tend to|hypothetically)\b"
    rf"|^(?:{CHINESE_SUPPOSING}|假设|要是|万一|倘若|若是|也许|或许|可能|大概|比如|例如|除非)"
    rf"|(?:{CHINESE_SUPPOSING}|假设|要是).{{0,30}}(?:{CHINESE_DECIDED}|偏好|喜欢|使用)|(?:可能|也许|或许"
    rf"|大概|考虑|还在想|不确定|打算|想要|本来|差点"
    r"|应该会|说不定|据说|听说)(?!.*(?:决定使用|决定采用))",
    re.IGNORECASE,
)
NEGATED = spoken_pattern(
    r"\b(?:(?:have|has|had)(?:n't| not)(?: yet)?|did(?:n't| not)|not yet|haven't(?: yet)?|nobody|no one"
    r"|nothing(?: was)?|not) (?:yet |really |actually )?(?:decided?|agreed?|chosen?|choose|settled?"
    r"|commit(?:ted)?|prefer(?:red|s)?)\b|\b(?:do(?:es)?n't|do not|does not) (?:always|prefer|really prefer"
    r"|necessarily|remember|like to)\b|\bnot (?:always|necessarily|never)\b|\bno (?:preference|decision)\b"
    r"|\b(?:un)?decided (?:yet|later|whether)\b|(?:没有|没|还没|尚未|未|并未|不曾|并没有|还没有)(?:最终"
    rf"|真正)?(?:{CHINESE_DECIDED}|确定|偏好|记住)|不一定|(?:没|没有|无)(?:什么)?(?:偏好|习惯)"
    r"|不(?:总是|偏好|喜欢|习惯|必)|不(?:太|是很|怎么)(?:喜欢|偏好)|\bnever (?:decided|agreed|chose|chosen"
    r"|settled|preferred)\b",
    re.IGNORECASE,
)
OTHERS_WORDS = spoken_pattern(
    r"^(?:he|she|they|it|the (?:docs?|documentation|readme|article|book|comment|error|message|log|author"
    r"|issue|test|linter|reviewer|bot)|someone|somebody|everyone|people"
    r"|some(?: people)?)\b.{0,30}\b(?:says?|said"
    r"|claims?|suggests?|recommends?|thinks?|prefers?|told|wrote|reads?|asks?|asked)\b|^(?:(?:a|an|the|one"
    r"|another) )?(?:review(?:er)?|pr|code review|mr)?'?s? ?(?:comments?|feedback|message|email|reply|log"
    r"|output|title|description|docstring|prompt|slogan|label|tagline)\b.{0,30}:|\b(?:as|like) (?:he|she"
    r"|they|it) (?:says?|said)\b|\bquote|\baccording to\b|^(?:他|她|他们|有人|文档|文章|书上|网上|别人|同事"
    r"|官方|注释|报错|日志)(?:里|中|上)?.{0,10}(?:说|认为|建议|提到|写着|写道|觉得|声称|提示)",
    re.IGNORECASE,
)
FAILED_WORDS = spoken_pattern(r"\b(?:typo|error|warning|exception|traceback|stack trace)s?:", re.IGNORECASE)
CHOICE = spoken_pattern(
    r"\b(?:the )?(?:first|second|third|former|latter|last|other) (?:one|option|approach|version)\b"
    r"|\b(?:this|that) one\b|\boption \w\b|第[一二三四]个|方案[一二三ABC]|前者|后者",
    re.IGNORECASE,
)
"""A choice among what was offered just now means nothing later."""


CHATTER = spoken_pattern(
    r"^(?:(?:ok(?:ay)?|alright|great|perfect|excellent|good|nice|sure|yes|right|now|first|next|then|so|and"
    r"|also|wait|hm+|actually|finally|still|but)\b[\s,.!:—–-]*)*(?:let me\b|let's\b|i(?:'ll| will| need to"
    r"| should| want to| am going to|'m going to| can now|'m now)\b|(?:we|you) (?:need to|should"
    r"|can now) (?:check|look|see|verify|run|make sure)\b|time to\b|(?:now |i'm |i am )?(?:running|checking"
    r"|looking|reading|updating|fixing|adding|creating|searching|trying|verifying|starting|committing"
    r"|pushing|proceeding|continuing|waiting|standing by|idle)\b|(?:i|we) (?:now )?(?:have|understand|see"
    r"|get)\b.{0,30}\b(?:picture|understanding|context|everything|enough|what (?:i|we) need|full (?:view"
    r"|scope)|it now)\b|(?:a )?clear picture\b|feel free\b|how can i help|is there anything else|happy to\b"
    r"|hope this helps|what would you like\b|(?:task|step|phase) \d+\b|no response requested"
    r"|you're (?:absolutely |totally |quite )?(?:right|welcome|correct)\b|good (?:catch|question|point|idea"
    r"|call)\b|(?:i )?apologi[sz]e\b|(?:i'm )?sorry\b|my (?:apologies|mistake)\b|thank(?:s| you)\b"
    r"|understood\b|got it\b)|^(?:好的?|明白了?|收到|没问题|可以|当然|了解|知道了|嗯|抱歉|对不起"
    r"|您?你?说得对|没错)[，,。！!：: ]*$|^(?:好的?|明白了?|收到|没问题|可以|当然|了解|嗯|抱歉|对不起"
    r"|你说得对|没错)?[，,。！!：: ]*(?:(?:现在|接下来|首先|然后|那么?|下面|随后|最后|再|先)[，,]?)*(?:让我"
    r"|我来|我先|我将|我会|我要|我再|我去|我需要|我现在|我们来|我帮|来看|看看|看一下|开始|继续|正在|请稍)",
    re.IGNORECASE,
)
"""A sentence that says what the agent is about to do, or is courtesy alone."""

BARE = spoken_pattern(
    r"^(?:(?:(?:it|that|this|everything|the \w+)(?: file| now)? )?(?:compiles?|looks?|is|are|builds?"
    r"|runs?) (?:now |all |very )*(?:clean|good|correct|right|fine|clear|great|obvious|valid|expected"
    r"|working|fixed|complete)(?:ly)?(?: now| to me)?|(?:(?:all|both"
    r"|the) )*(?:\w+ )?tests? (?:now )?(?:fail(?:s|ed)?|pass(?:es|ed)?)(?: as expected| locally| now"
    r"| too)*(?: \([^()]{1,40}\)| [-–—] .{1,40}phase)?|(?:i )?(?:found|see|spotted|identified)(?: it"
    r"| the (?:issue|problem|bug|cause|pattern))|(?:now )?i (?:can )?(?:now |clearly )*(?:see"
    r"|understand)(?: \w+){1,4}|that's a (?:\w+ )?signal|i(?:'ve| have) (?:now |successfully )?(?:completed"
    r"|finished|done)(?: \w+){0,3} (?:request|task|work|changes?)s?|(?:all |it's |that's |everything(?:'s"
    r"| is)? |we're |and )?(?:done|ready|completed?|finished|fixed|good|great|perfect|excellent|ok(?:ay)?"
    r"|sure|yes|no|right|nice|awesome|wonderful|clean|green|in place|set|committed|pushed|merged|success"
    r"|successful|pushed successfully)(?: to go| now)?|(?:all |the )?(?:\w+ ){0,3}(?:tests?|checks?"
    r"|lint(?:er|ing)?|build|formatting)(?: \w+){0,2} (?:now )?(?:pass(?:es|ed)?|succeed(?:s|ed)?|(?:is"
    r"|are) (?:passing|clean|green))(?: now)?|(?:已?完成|搞定|好了|成功|没有问题|一切正常|(?:所有"
    r"|全部)?测试(?:全部|都)?(?:已)?通过)了?)[\s.!。！✓✅]*$",
    re.IGNORECASE,
)
"""A sentence that says only that something went well, which the tool's own observation says already."""

TAIL = spoken_pattern(
    r"[ \t]*(?:[,;:.—–-]|\bso|\band|\bbut)[ \t]*(?:(?:so|and|but|now|then)[ ,]+){0,3}(?:let me|i'll|i will"
    r"|i need to|let's)\b.{0,300}$|[，,；;][ ]*(?:(?:现在|接下来|所以)[，,]?){0,2}(?:让我|我来|我先|我将"
    r"|我会|我去).{0,150}$",
    re.IGNORECASE,
)
"""What a sentence ends with of what the agent does next: "… fails, let me look"."""

INSTRUCTION = spoken_pattern(
    r"^(?:(?:now|also|then|next|first|finally|and|so)[ ,]+)*(?:run|add|update|write|implement|resolve|fix"
    r"|check|verify|create|(?:i )?(?:also )?need to|reply|remove|replace|test|build|commit|clean|move"
    r"|rename|starting with|the \w+ types)\b",
    re.IGNORECASE,
)
"""Between tool calls, what is done next."""

STATED = spoken_pattern(
    r"\b(?:is|are|was|were|has|have|had|takes?|took|uses?|needs?|contains?|defaults?|expects?|returns?"
    r"|calls?|reads?|writes?|renamed|there(?:'s| are| is| was| were)|one|two|three|\d+)\b|是|有|在|会|用"
    r"|返回|调用|包含|默认|需要",
    re.IGNORECASE,
)

LEAD_IN = spoken_pattern(
    r"^(?:here(?:'s| is| are)\b|the following\b|below (?:is|are)\b|以下是|如下|下面是)",
    re.IGNORECASE,
)

FINDING = spoken_pattern(
    r"\b(?:because|root cause|turns? out|caused? by|causes|due to|the (?:\w+ )?(?:problem|issue|bug|cause"
    r"|reason|culprit|failure|error|fix|difference|key|answer|solution)s? (?:was|were|is|are|comes?|came)"
    r"|found|finds|discovered|noticed|reali[sz]ed|it (?:was|is) (?:indeed|actually|in fact)|means|explains?"
    r"|which is why|that's why|pre-?existing|unrelated|already|actually|indeed|instead of|rather than"
    r"|no longer|never|only (?:when|if|after)|(?:is|are|was|were|does|do|did|has|have|had|could|would"
    r"|should|can)(?:n't| not)\b|cannot|missing|fail(?:s|ed|ing)?|unless|however|but|since|whereas"
    r"|race condition|deadlock|regression|mismatch|stale|leak(?:s|ed)?)\b|因为|由于|原因|发现|根因"
    r"|问题(?:是|在于|出在)|导致|意味着|其实|原来|说明|没有|不是|无法|不能|缺少|已经|而不是|才会|结论|但是"
    r"|不过|失败",
    re.IGNORECASE,
)


ADVICE = spoken_pattern(
    r"\b(?:(?:i|we)(?:'d| would)? (?:recommend|suggest|propose)|(?:the |my )?recommendation\b\s*(?:is|was"
    r"|:)|(?:best|pragmatic|right|simplest|safest) (?:choice|option|approach) (?:is|was|would)|better to\b"
    r"|(?<=\w )should (?:stay|remain|keep|use|not)\b)|建议|推荐",
    re.IGNORECASE,
)
"""What an agent would do: no decision until the user takes it."""

EXPECTED = spoken_pattern(
    r"\b(?:tests?|specs?|assertions?|cases?) (?:\w+ )?(?:expects?|asserts?|checks?|verif(?:y|ies)|requires?"
    r"|wants?|says?|should|must)\b|\b(?:expected|acceptance criteria|requirements?)\b"
    r"|(?:测试|用例|断言)(?:期望|要求|检查|验证)|期望|预期|验收",
    re.IGNORECASE,
)
"""What leads to how something has to behave, which nobody decided there."""

PLANNED = spoken_pattern(
    r"\b(?:plan|options?|approach(?:es)?|alternatives?|proposals?|steps|strategy|roadmap|phases?"
    r"|next steps?|todo)\b|计划|方案|选项|步骤|思路|备选|下一步|待办|阶段",
    re.IGNORECASE,
)

REPORTED = spoken_pattern(
    r"^(?:`[^`\n]+`\s*[-–—:]\s*)?(?:(?:i|we)(?:'ve| have)? )?(?:now |also |successfully )*(?:done|fixed"
    r"|added|updated|removed|kept|created|implemented|renamed|moved|refactored|changed|replaced|committed"
    r"|pushed|merged|wrote|built|configured|installed|deleted|cleaned|simplified|extracted|resolved"
    r"|converted|migrated|made|reverted|rewrote|split|bumped|upgraded)\b|\b(?:pr|pull request|issue|branch"
    r"|commit|tag) (?:created|opened|merged|closed|pushed)\b|^(?:the |all )?(?:implementation|migration"
    r"|refactor(?:ing)?|merge|rebase|upgrade|cleanup|rename)\b.{0,60}?\b(?:is |are "
    r"|has been )?(?:now )?(?:complete|completed|done|finished)[.!:]*$|^all (?:\w+ ){0,3}(?:conflicts"
    r"|comments|issues|findings) (?:are |have been )?(?:now )?(?:resolved|addressed|fixed)\b"
    r"|^(?:我)?已经?[将把]|^(?:我)?(?:已经?|成功)?(?:完成|修复|添加|新增|更新|删除|修改|实现|创建|重构|移除"
    r"|优化|升级|提交|推送|合并)",
    re.IGNORECASE,
)

REQUESTED = spoken_pattern(r"^(?:can|could|would|will) you\b|\bplease\b|^(?:请|帮我|麻烦)", re.IGNORECASE)


SPECIFIC = spoken_pattern(
    r"`[^`\n]{2,}`|[\w.-]+/[\w./-]+|\b\w+\.(?:py|js|ts|tsx|go|rs|java|rb|md|sql|sh|toml|ya?ml|json|css|html"
    r"|c|cpp|h)\b|\b[a-z]+[A-Z]\w+|\b[A-Z][a-z0-9]+[A-Z]\w+|\b\w+_\w+|\d|\"[^\"\n]{3,}\"|“[^”\n]{2,}”"
    r"|\b[A-Z]{3,}\b|[一二三四五六七八九十百千万两]+(?:位|条|次|天|分钟|秒|小时|年|个月|周|倍|份|台|行|级)"
)

OPENING = spoken_pattern(
    r"^(?:(?:yes|no|ok(?:ay)?|sure|great|perfect|excellent|good|nice|done|right|alright|awesome|now|so|well"
    r"|ah|oh|hmm+|interesting|got it|understood|all done|fixed|好的?|是的|完成|对|嗯|没错"
    r"|明白了?)[!.。！✅✓—–-]+\s*|(?:great|perfect|excellent|good|nice|awesome|now|so|well|ah|oh|hmm+"
    r"|好的?)[,，:：]\s*|[✅✓✔☑🎉]️?\s*)+",
    re.IGNORECASE,
)


OPTION = spoken_pattern(
    r"^(?:option|approach|alternative|choice|plan|solution|方案|选项|方法)\s*(?:#?\d|[A-H]\b"
    r"|[一二三四五六])(?!\s+(?:is|was|are|were|would|could|should|seems?|looks?|has|needs?|and|or|to"
    r"|also)\b|\s*(?:是|比|更|最|和|或|与|也))\s*[:：.、—–-]*\s*(?=\S)",
    re.IGNORECASE,
)

VERDICT = spoken_pattern(
    rf"^(?:verdict|decision|conclusion|answer|结论|{CHINESE_NOUNS}|答案)\s*[:：]", re.IGNORECASE
)


FOUND_FIRST = spoken_pattern(r"\b(?:because|turns out|root cause)\b|因为|由于|原因是", re.IGNORECASE)

ASKS = spoken_pattern(r"[?？]\W*$|吗[。！]?$")

CAUSE = spoken_pattern(
    r"\b(?:root cause|(?:it )?turn(?:s|ed) out|(?:the|this|that) (?:\w+ ){0,2}?(?:problem|issue|bug|cause"
    r"|reason|culprit|failure|error|hang|crash|slowdown|delay|leak)s? (?:was|were|is|are|came|comes"
    r"|happens|happened|occurs|occurred)\b|caused by|the reason|culprits?|because)\b"
    r"|原因(?:是|在于|：)|因为|由于|根因|问题(?:是|在于|出在)|导致|原来",
    re.IGNORECASE,
)

ASKED = spoken_pattern(
    r"[?？]\s*$|吗[。！]?\s*$|^(?:what|why|how|where|which|who|when|is|are|was|were|does|do|did|can|could"
    r"|should|would|will|explain|describe|tell me|show me|compare|review|check (?:if|whether|why)|find out"
    r"|analy[sz]e|investigate|summari[sz]e|i (?:wonder|don't understand))\b|为什么|怎么|如何|什么|哪|是否"
    r"|解释|说明|分析|看看|介绍|对比|总结",
    re.IGNORECASE,
)
"""A prompt that asks to be told something."""

DECIDED = spoken_pattern(
    r"(?:^|[,;:.!—–(-] ?|\b(?:and|so|then|but|that|because|therefore|since|where|which) )(?:(?:i|we|you"
    r"|the team)(?:'ve| have)? (?:also |just |now |already "
    rf"|\w+ly )?(?:(?:{WE_DECIDED})(?!(?: on)? (?:whether|if|earlier)\b)"
    r"|picked|went with)\b(?! (?:whether|if)\b)|(?:\w+ly )?(?:decided (?:to|on|against|not)|agreed (?:to"
    r"|on)|opted (?:to|for)|chose\b.{2,80}\b(?:over|instead|because))\b)|\b(?:i|we)(?:'ll"
    r"| will) (?:go|stick|stay) with\b|\b(?:i'm|we're|let's) (?:going|go|sticking|stick) with\b"
    r"|^(?:(?:the|my|our|your|final) )*(?:decision|choice)(?:\s*:| (?:is|was)(?: to\b| that\b|:))"
    rf"|(?:{CHINESE_DECIDED})(?!性|俗成)|最终(?:选择|方案)|选用|定为|选择了?.{{1,30}}而不是"
    r"|(?:我们|最终)采用",
    re.IGNORECASE,
)
"""A sentence that says what was decided, by the one who speaks or hears it."""
