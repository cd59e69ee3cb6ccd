"""The patterns of sentences that state a fact outright, and of those that take it back: English
and Chinese.
"""

from __future__ import annotations

import re

from ...records import FactKind

ANY = re.IGNORECASE
WE = r"(?:we|i|the team|they)(?:'ve| have|'re| are)?"
KNOWN_TOOLS = re.compile(
    r"(?<![\w./-])(pytest|unittest|ruff|mypy|black|pip|uv|poetry|npm|pnpm|yarn|bun|deno"
    r"|node|react|vue|svelte|angular|vite|webpack"
    r"|jest|vitest|playwright|cypress|eslint|prettier|typescript|javascript|python|golang"
    r"|rust|java|kotlin|swift|ruby|rails|django"
    r"|flask|fastapi|spring|redis|sqlite|postgres(?:ql)?|mysql|mongodb|kafka|rabbitmq"
    r"|elasticsearch|docker|kubernetes|terraform"
    r"|ansible|nginx|graphql|grpc|rest|git|github|gitlab|jenkins|aws|gcp|azure|linux"
    r"|macos|windows|makefile|make|cmake|gradle"
    r"|maven|cargo|tailwind|css|html|json|yaml|toml|markdown|celery|airflow|spark|pandas"
    r"|numpy|pytorch|tensorflow|openai"
    r"|anthropic|claude|codex|gemini|copilot|cursor|vim|neovim|emacs|vscode|tmux|zsh|bash"
    r"|fish|ci|cd|sqlalchemy|alembic|prisma"
    r"|textual|typer|rich|apsw)(?![\w-])",
    re.IGNORECASE,
)  # fmt: skip
SIGNS: tuple[tuple[FactKind, float, re.Pattern[str]], ...] = (
    # What is to be remembered, whatever it is.
    ("W", 0.95, re.compile(
        r"^(?:please |also |and )*(?:remember|note|keep in mind|for the record|fyi"
        r"|bear in mind)(?: that|[:,])\s*(?P<what>.+)", ANY)),
    ("W", 0.95, re.compile(
        r"^(?:请|你要|一定要|务必)*(?:记住|记下|牢记|请注意|别忘了|备忘)(?:一下)?[，,：: ]*"
        r"(?P<what>.+)")),
    # What was decided.
    ("B", 0.9, re.compile(
        rf"^(?:.{{0,60}}?[,;:] )?(?:so |and |ok(?:ay)?,? |then )*{WE} (?:just |now |finally "
        rf"|already )*(?:decided|agreed|chose|settled on|opted|committed)\b(?! if| whether)", ANY)),
    ("B", 0.9, re.compile(
        r"^(?:the )?(?:decision|agreed|decided)(?: is| was)?(?: to\b|[:：])\s*(?P<what>.+)", ANY)),
    ("B", 0.85, re.compile(
        rf"^(?:from now on,? )?{WE} (?:are |'re )?(?:going with|switched (?:from|to)"
        rf"|migrated (?:from|to)|moved (?:from .{{2,40}} )?to|standardi[sz]ed on"
        rf"|dropped support)\b", ANY)),
    ("B", 0.9, re.compile(
        r"^(?:最终|最后|经讨论|讨论后|今天|所以|那|这次)*[，,]?(?:我们|团队|我|大家)?(?:已经"
        r"|最终|最后|一致)*(?:决定|商定|敲定|选定|拍板|约定|确定)(?:了|使用|采用|用|改用|把"
        r"|将|不再|好|：|:).+")),
    ("B", 0.85, re.compile(r"^(?:我们|团队|大家)约定(?!俗成|是).{3,}")),
    # What is always or never to be done, and what somebody likes.
    ("O", 0.9, re.compile(
        r"^(?:please |and |also |but |so |in (?:this|our) (?:project|repo(?:sitory)?"
        r"|codebase),? |for (?:this|our) \w+,? |when .{3,60}?, )*(?:you (?:should"
        r"|must) )?(?:always|never) (?!mind\b|been\b|was\b|were\b|seen\b|had\b|got\b|gets\b"
        r"|is\b|has\b|say\b|thought\b|works?\b|fails?\b|returns?\b|\w+s\b(?<!ss))\w+.+", ANY)),
    ("O", 0.9, re.compile(
        r"^(?:from now on|in (?:the )?future|going forward|henceforth)[, ]+(?!(?:we"
        r"|i) (?:could|might|may)\b).+", ANY)),
    ("O", 0.85, re.compile(
        r"^(?:personally,? )?(?:i|we|the user|the team) (?:really |strongly |much |generally "
        r"|usually |always )*(?:prefer|prefers|like to|want you to|insist)\b.+", ANY)),
    ("O", 0.85, re.compile(
        r"^(?:my|our|the (?:team|user)'s) (?:preference|convention|rule|style|policy"
        r"|standard)s? (?:is|are)\b.+", ANY)),
    ("O", 0.85, re.compile(r"^prefer \w.+", ANY)),
    ("O", 0.85, re.compile(r"^(?:let's|i'd like you to) (?:always|never) .+", ANY)),
    ("O", 0.85, re.compile(
        r"^(?:please )?(?:don't|do not) (?:ever |use |add |commit |push |touch |edit |change "
        r"|run |write |create |import |mock )\w*.*\b(?:ever|anymore|any more|again"
        r"|in this (?:repo|project)|directly|without)\b.*", ANY)),
    ("O", 0.9, re.compile(
        r"^(?:请|你|我们|大家|项目里|这个项目|所有.{1,12}|.{1,8}[前后时]|代码|提交)*[，,]?"
        r"(?:以后|今后|从现在起|从今以后|往后|始终|总是|一律|永远|务必|一定要)[，,]?"
        r"(?:.{1,6}(?=请|都|要|用))?"
        r"(?:都|要|请|只|不要|别|不能|不得|不许|不再|先|用|使用|统一)+.+")),
    ("O", 0.9, re.compile(
        r"^(?:所有.{1,12}|每次.{1,8}|.{1,8}[前时]|代码|提交|以后|今后)[，,]?(?:都|也)*必须.+")),
    ("O", 0.85, re.compile(r"^(?:以后|今后)?(?:不要|别|不)再(?:用|使用|写|提交).+")),
    ("O", 0.9, re.compile(
        r"^(?:请|你|我们|代码里?|提交时?|测试里?|项目里?|任何时候"
        r"|在.{1,16}?[里中时])*[，,]?(?:永远不要|绝不|绝对不要|千万不要|千万别|禁止|严禁"
        r"|不允许|一律不).+")),
    ("O", 0.85, re.compile(
        r"^(?:我|我们|用户|团队|个人)(?:个人)?(?:更|比较|一般|通常|平时|都|还是|一直)*(?:偏好(?!设置|页|面板)"
        r"|喜欢|倾向于?|习惯用?|习惯于)(?:用|使用|是|把|在|让|先)?.+")),
    ("O", 0.85, re.compile(
        r"^(?:我的|我们的|用户的|团队的|项目的)?(?:偏好|习惯|约定|规范|规矩|风格|原则)"
        r"(?:是|：|:|为)\s*.+")),
    # What the project is like.
    ("W", 0.8, re.compile(
        r"^(?:this|the|our) (?:project|repo(?:sitory)?|codebase|app(?:lication)?|service"
        r"|backend|frontend|api|team|build|pipeline|ci|database|server|cluster|staging"
        r"|production)(?: \w+)? (?:uses?|runs? (?:on|in)|is (?:written in|built (?:with|on)"
        r"|hosted (?:on|in|at)|deployed (?:on|to)|based on)|lives? (?:in|at|under)|depends on"
        r"|requires?|targets?|supports? only)\b.+", ANY)),
    ("W", 0.8, re.compile(
        r"^(?:我们的?|本|这个|该)?(?:项目|仓库|后端|前端|服务|接口|数据库|系统|线上|测试环境"
        r"|生产环境|预发环境|团队|流水线)(?:目前|现在|都|统一|是)*(?:使用|采用|部署在|运行在"
        r"|基于|依赖|跑在|托管在|用的是|只支持|用)(?!不|吗|什么).+")),
    ("W", 0.7, re.compile(
        rf"^[Ww]e (?:use|run|write|deploy with) (?:“_+”|[A-Z][\w.+#-]*|{KNOWN_TOOLS.pattern})"
        r".*\b(?:for|in|as|on|to|everywhere)\b.*")),
    # What it comes to.
    ("S", 0.7, re.compile(
        r"^(?:in (?:summary|short|conclusion)|to (?:summari[sz]e|sum up)|overall|bottom line"
        r"|tl;?dr)[,:]?\s+(?P<what>.+)", ANY)),
    ("S", 0.7, re.compile(
        r"^(?:总之|综上|综上所述|总的来说|总结一下|总结|一句话总结|结论(?:是)?)[，,：:]\s*"
        r"(?P<what>.+)")),
)  # fmt: skip

QUESTION = re.compile(
    r"[?？]\s*[\"”'）)]*$|(?:吗|呢|么|没有|行不行|好不好|对不对|可以不|是不是)[。.!！~]*$"
    r"|^(?:should|shall|do|does|did|can|could|would|will|is|are|was|were|have|has|what"
    r"|why|how|which|who|when (?:do|does|did|will|can|is|are|should)|where|isn't|aren't"
    r"|don't we|didn't)\b(?!.*: )"
    r"|是否|要不要|该不该|能不能|为什么|怎么(?!样都)|如何|哪个|什么时候|有没有|是不是",
    re.IGNORECASE,
)
DO_NOT = re.compile(r"^(?:please )?(?:don't|do not)\b", re.IGNORECASE)
HYPOTHETICAL = re.compile(
    r"^(?:if|suppose|assuming|imagine|unless|say|let's say|what if|maybe|perhaps|possibly|in case)\b"
    r"|\b(?:if (?:we|i|you|they)|we (?:could|might|may|would)|i (?:could|might|may|would"
    r"|think|guess|wonder)|you (?:could|might|may)|would (?:prefer|rather|like)"
    r"|might (?:want|prefer)|could (?:decide|prefer)|not sure|i'm unsure"
    r"|thinking (?:about|of)|considering|consider(?:ing)? (?:whether|if)|until we decide"
    r"|once we(?:'ve| have)? decide|when we decide|have(?:n't| not) decided|wish we had"
    r"|should have|would have|supposedly|allegedly|pretend|for example|e\.g\."
    r"|tend to|hypothetically)\b"
    r"|^(?:如果|假如|假设|要是|万一|倘若|若是|也许|或许|可能|大概|比如|例如|除非)|(?:如果|假如|假设|要是).{0,30}(?:决定|偏好|喜欢|使用)"
    r"|(?:可能|也许|或许|大概|考虑|还在想|不确定|打算|想要|本来|差点|应该会|说不定|据说|听说)(?!.*(?:决定使用|决定采用))",
    re.IGNORECASE,
)
NEGATED = re.compile(
    r"\b(?:(?:have|has|had)(?:n't| not)(?: yet)?|did(?:n't| not)|not yet"
    r"|haven't(?: yet)?|nobody|no one|nothing(?: was)?|not) (?:yet |really "
    r"|actually )?(?:decided?|agreed?|chosen?|choose|settled?|commit(?:ted)?|prefer(?:red"
    r"|s)?)\b"
    r"|\b(?:do(?:es)?n't|do not|does not) (?:always|prefer|really prefer|necessarily"
    r"|remember|like to)\b|\bnot (?:always|necessarily|never)\b|\bno (?:preference"
    r"|decision)\b"
    r"|\b(?:un)?decided (?:yet|later|whether)\b"
    r"|(?:没有|没|还没|尚未|未|并未|不曾|并没有|还没有)(?:最终|真正)?(?:决定|确定|商定"
    r"|选定|约定|敲定|偏好|记住)|不一定|(?:没|没有|无)(?:什么)?(?:偏好|习惯)|不(?:总是"
    r"|偏好|喜欢|习惯|必)|不(?:太|是很|怎么)(?:喜欢|偏好)"
    r"|\bnever (?:decided|agreed|chose|chosen|settled|preferred)\b",
    re.IGNORECASE,
)
OTHERS_WORDS = re.compile(
    r"^(?:he|she|they|it|the (?:docs?|documentation|readme|article|book|comment|error"
    r"|message|log|author|issue|test|linter)|someone|somebody|everyone|people"
    r"|some(?: people)?)"
    r"\b.{0,30}\b(?:says?|said|claims?|suggests?|recommends?|thinks?|prefers?|told|wrote"
    r"|reads?|asks?|asked)\b"
    r"|\b(?:as|like) (?:he|she|they|it) (?:says?|said)\b|\bquote|\baccording to\b"
    r"|^(?:他|她|他们|有人|文档|文章|书上|网上|别人|同事|官方|注释|报错|日志)(?:里|中|上)?.{0,10}(?:说|认为|建议|提到|写着|写道|觉得|声称|提示)",
    re.IGNORECASE,
)
FAILED_WORDS = re.compile(
    r"\b(?:typo|error|warning|exception|traceback|stack trace)s?:", re.IGNORECASE
)
CHOICE = re.compile(
    r"\b(?:the )?(?:first|second|third|former|latter|last|other) (?:one|option|approach|version)\b"
    r"|\b(?:this|that) one\b|\boption \w\b|第[一二三四]个|方案[一二三ABC]|前者|后者",
    re.IGNORECASE,
)
"""A choice among what was offered just now means nothing later."""
