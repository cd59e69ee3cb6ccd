"""The words by which a line of a reply is known for what it says, in English and Chinese."""

import re

from ...text.language.phrases import (
    CHINESE_NEXT,
    CHINESE_NOUNS,
    CHINESE_SUPPOSING,
    SUPPOSING,
    spoken_pattern,
)
from ...text.language.scripts import UNSPACED
from ..rules.sentence_patterns import ASKED as ASKED
from ..rules.sentence_patterns import ASKS as ASKS
from ..rules.sentence_patterns import CAUSE as CAUSE
from ..rules.sentence_patterns import DECIDED as DECIDED
from ..rules.sentence_patterns import OPTION as OPTION

NEXT_HEADING = spoken_pattern(
    r"\b(?:next(?! ?\.?js)(?: steps?| up| tasks?| actions?)?|todos?|to[- ]dos?|remaining(?: work| tasks?"
    r"| items?| steps?| issues?)?(?=\W*$)|what(?:'s| is| remains)?(?: still)? left(?: to do)?|left(?: to do"
    r"| open)|follow[- ]?ups?|outstanding|future work|pending|not (?:yet )?done|open (?:points|items"
    r"|issues)|still (?:open|missing|to do)|loose ends?)\b|^(?:\w+ )?deferred$|^left$|^(?:now "
    r"|then )?you (?:should"
    rf"|need to|have to)(?: now)?$|{CHINESE_NEXT}|后续(?!版本)|未完成|遗留|还需|尚未",
    re.IGNORECASE,
)
LEARNED_HEADING = spoken_pattern(
    r"\b(?:finding|found|cause|culprit|why|learn|insight|analysis|diagnosis|explanation|problem|issue|bug"
    r"|reason|conclusion|answer|verdict|how it works|key (?:point|takeaway)|notable|gotcha|caveat|important"
    r"|note|background|what (?:happened|was wrong))|发现|原因|结论|分析|问题|根因|根本|说明|注意|经验|教训"
    r"|要点|背景|答案",
    re.IGNORECASE,
)
DECIDED_HEADING = spoken_pattern(
    r"^(?:(?:the|our|final|key|main|locked|agreed|design|architecture) ){0,2}(?:decisions?|decided"
    r"|design choices?)(?: (?:made|taken|so far|locked|from .{1,30}))?$|\b(?:decisions? (?:made|taken)"
    rf"|what (?:we|was) decided)\b|^(?:最终|关键|设计)?(?:{CHINESE_NOUNS})(?:如下)?$",
    re.IGNORECASE,
)
READ_ALOUD = spoken_pattern(
    r"^(?:(?:recent|previous|earlier) (?:work|activity|sessions?|decisions?)|(?:current|project"
    r"|overall) (?:position|status|state|progress)|progress|last activity)$|^(?:当前|项目|总体)(?:状态|进度"
    r"|位置)$|^(?:近期|最近)(?:工作|进展)$",
    re.IGNORECASE,
)
"""A heading of a report on how things stand, which was decided and done before."""
CITED = spoken_pattern(r"[:：—–] ?\*?[\"“「].{20,}|\byour (?:own )?(?:quote|words)\b", re.IGNORECASE)
"""A line that gives what somebody said or wrote."""
DONE_HEADING = spoken_pattern(
    r"\b(?:summary|changes?|changed|done|completed?|implement(?:ed|ation)|fix(?:es|ed)?|added|removed"
    r"|updated|what i(?:'ve)? (?:did|done|changed)|results?|modified|created|commit(?:s|ted)"
    r"|accomplish(?:ed|ments?)|deliver(?:ed|ables?)|work done)\b|完成|修改|改动|变更|总结|新增|修复|实现"
    r"|结果|更新|解决|成果|摘要|已做",
    re.IGNORECASE,
)
PROPOSAL = spoken_pattern(
    r"\b(?:options?|approach(?:es)?|alternatives?|proposals?|proposed|ideas?|recommend(?:ed|ations?)?"
    r"|suggest(?:ed|ions?)?|trade-?offs?|pros|cons|considered|could|(?<!now you )should|would|sketch"
    r"|plan(?:ned)?|strategy|examples?|if you|whether|risks?|questions?|my take|opinion|caveats?)\b|方案"
    r"|选项|备选|建议|推荐|权衡|取舍|利弊|示例|如果",
    re.IGNORECASE,
)
"""A heading under which nothing is done, decided or left: it is proposed, weighed or shown."""

NEXT_LABEL = spoken_pattern(
    r"^(?:(?:the |my |our )?(?:next(?: steps?| up)?|to-?dos?|to do|remaining(?: work| tasks?| items?)?"
    r"|(?:what(?:'s| is) )?(?:still )?left(?: to do)?|follow[- ]?ups?|outstanding|pending|still open"
    r"|not (?:yet )?done(?: yet)?)\s*(?:[:：]|[—–]|\s-\s)|(?:接下来|下一步|后续(?:工作|步骤)?|待办(?:事项)?"
    r"|剩余(?:工作)?|剩下(?:的)?|遗留(?:问题)?|未完成)\s*[:：])\s*",
    re.IGNORECASE,
)
LEARNED_LABEL = spoken_pattern(
    r"^(?:(?:the )?(?:root )?cause|reason|diagnosis|conclusion|verdict|finding|answer|gotcha|caveat"
    r"|takeaway|lesson|key (?:finding|insight)|结论|根因|根本原因|原因|发现|答案|教训"
    r"|注意(?!\s*[:：]\s*(?:请|不要|别|需要|务必|记得)))\s*[:：]\s*",
    re.IGNORECASE,
)
DECIDED_LABEL = spoken_pattern(
    rf"^(?:decision|decided|{CHINESE_NOUNS}|结论是采用)\s*[:：]\s*", re.IGNORECASE
)

UNDONE_VERBS = (
    r"(?:commit|push|merg|deploy|releas|publish|test|verif|implement|document|run|start|review"
    r"|updat|migrat|fix|handl|cover|wir|address|check)(?:t?ed|ed|d|un|n)?"
)
NEXT = spoken_pattern(
    r"^(?:next,|(?:to .{3,60}, |then )?you(?: may| might|'ll| will)? (?:still |also |now |then )*(?:need"
    r"|have|want) to (?!wait\b)|(?:don't forget|remember) to\b)|\b(?:still|yet) (?:needs?|(?:have|has"
    r"|wants?"
    r"|remains?) to)\b|\bstill (?:to do|to be done|missing|open|outstanding|todo|pending|failing|not \w+"
    r"|un\w+ed)\b|\btests? (?:(?:is|are) )?(?:still )?failing\b|\bneeds? (?:further|more) \w+"
    r"|\bwhat (?:still )?remains\b|\bremains? to be\b|\bleft to (?:do|be done)\b|\bneeds? to be \w+(?:ed|en"
    r"|un|t) (?:before|next|once|after|manually|separately)\b|\b(?:can't|cannot) \w+\b.{0,60} yet\b"
    rf"|\bnot (?:yet|been) {UNDONE_VERBS}\b|\b{UNDONE_VERBS} yet\b.{{0,3}}$"
    rf"|\b(?:i|we) (?:haven't|have not|didn't|did not) (?:yet )?{UNDONE_VERBS}\b"
    r"(?!.*\b(?:because|since|as (?:this|it|that|there))\b)"
    rf"|\b(?:hasn't|haven't|has not|have not|isn't|aren't|is not|are not)(?: been)? {UNDONE_VERBS} yet\b"
    r"|\bready (?:for you )?(?:to (?:be )?|for (?:a |your |the )?)(?:commit|push|merge|deploy|release|ship"
    r"|review|test|publish|submit|post)|\b(?:(?:is|are|still) (?:uncommitted|unpushed|untracked)|not pushed"
    r"|not committed|awaiting (?:review|approval|commit)"
    r"|open (?:decision|question|point)s?)\b|^(?:后续|还需要|还需|仍需|尚未|需要你"
    rf"|需要您|{CHINESE_NEXT}|请(?:运行|执行|确认|检查|重启|手动)|之后)|(?:还没有?|尚未|仍未)(?:提交|推送"
    r"|部署|测试|合并|发布|实现|处理|更新|验证)|还需要?|仍需|有待|可以(?:提交|推送|合并|部署|发布)了",
    re.IGNORECASE,
)
STATE = spoken_pattern(r"\b(?:by (?:default|design)|never been|had never)\b|默认", re.IGNORECASE)
"""What is so, and is nobody's task."""
CONDITION = spoken_pattern(r"\b(?:if|when|unless|until|in case|claims?|only)\b|如果|除非", re.IGNORECASE)
CLAUSE = spoken_pattern(r"\s[—–-]\s|[;；]\s?|\.\s|。")
LABELLED = spoken_pattern(r"^[A-Z][a-z]+: (?:[A-Z][\w-]*(?: |$)){1,4}$")
"""A name and its value, as of a table."""
NAMED = spoken_pattern(
    r"`|\b(?:commit|push|merg|pull request|pr\b|or\b)|提交|推送|合并|还是", re.IGNORECASE
)
"""What a short question names that says enough."""
OFFERS = spoken_pattern(
    r"(?:^|[ ,;:(—–-] ?)(?:want me to|shall i|should i|would you like(?: me)? to|do you want(?: me)? to"
    r"|may i|can i|ready (?:for me )?to \w+(?=.*[?？])|say (?:the )?word|(?:it's )?your call)\b"
    r"|^(?:push|commit|merge|deploy) .{0,20}\bwhen|\bready (?:to|for) .*\b(?:when|if you)"
    r"|\blet me know if you(?:'d like| want) me|\bwhen(?:ever)? you(?:'re|"
    r" are)? (?:ready|want)\b|\bif you(?:'d| would)? (?:like|want|prefer)\b.*\bi(?:'ll"
    r"| can| could)\b|\bi(?:'ll| can| could) .*\bif you(?:'d| would)? (?:like|want|prefer)\b"
    r"|(?:要|要不要|需要|是否需要)(?:不要)?我",
    re.IGNORECASE,
)
"""How an agent offers to do what is left."""
LEARNED = spoken_pattern(
    r"\b(?:due to|discovered|found that|(?:i|we) (?:found|noticed|learned|realized|confirmed|see)\b"
    r"|it appears that|means that|which means|happens when|happens if|happens on"
    r"|this is why|that(?:'s| is) why|since the|by default|does(?:n't| not) (?:support|exist|handle|work)"
    r"|actually|only (?:when|if|works?|applies)|never (?:called|used|reached|set)|no longer"
    r"|confirmed|^(?:i(?:'ve)? )?(?:also )?(?:verified|tested)|likely|it depends on|is (?:already"
    r"|not) (?:supported|used|needed|set))\b"
    r"|发现|意味着|说明了|其实|实际上|只有在?.{1,30}才|默认(?:情况下|值|是|为)|不支持|已确认|取决于",
    re.IGNORECASE,
)
CHOSEN = spoken_pattern(
    r"\b(?:intentional(?:ly)?|deliberate(?:ly)?|by design|instead of|rather than)\b"
    r"|采用了?|改用|改为(?:使用)?|而不是|故意|有意",
    re.IGNORECASE,
)
"""What may come of a choice, or of a fault: "it hangs instead of failing"."""
DONE = spoken_pattern(
    r"^(?:(?:i|we)(?:'ve| have)?(?: now| also| successfully| just)* )?(?:done|fixed|added|updated|removed"
    r"|created|implemented|renamed|moved|refactored|changed|replaced|committed|pushed|merged|rebased|wrote"
    r"|built|configured|installed|deleted|cleaned|simplified|extracted|resolved|converted|migrated"
    r"|introduced|enabled|disabled|upgraded|bumped|corrected|rewrote|documented|opened|set up|wired|ported"
    r"|reduced|improved|optimi[sz]ed|split|published|deployed|reverted|made|switched|dropped|completed)\b"
    r"|^(?!(?:given|since|when|once|in|what) )(?:(?!\b(?:after|because|until|which|that)\b)[^,:;\"]){2,90}?"
    r"\b(?:(?:is|are) (?:now )?(?:complete"
    r"|completed|done|fixed|resolved|implemented)|(?:is|are) now (?:in place|committed|pushed|merged"
    r"|deployed|live)|(?:has|have) been \w+ed)\b|^(?:all|the) (?:\w+ )?(?:tests|checks)\b.{0,40}\bpass"
    r"|^(?:tests|all tests|everything|lint)\b.{0,40}\b(?:pass|clean|green)(?!.*\bbecause\b)"
    r"|\b(?:pr|pull request|commit) (?:created|opened)\b|^(?:the )?(?:change|fix) is (?:in|clean)\b"
    r"|^(?:我)?(?:已经?|现已|成功|完成了?|新增了?|添加了?|修复了?|修改了?|更新了?|删除了?|实现了?"
    r"|创建了?|重构了?|移除了?|优化了?|升级了?|部署了?|提交了?|改为|替换了?)|(?:已完成|已修复|已经?(?:添加"
    r"|更新|删除|提交|推送|创建|修改|实现|解决|通过|部署|升级|改)|(?:测试|检查)(?:全部|都|均)?(?:已)?通过"
    r"|完成了|修好了|搞定了)",
    re.IGNORECASE,
)
ACTED = spoken_pattern(
    r"^(?:(?:`[^`\n]{1,80}`|[\w./-]+|[A-Z][\w #]{1,30})(?: \([^()\n]{1,40}\))?\s*(?:[-–—:]|->"
    r"|→)\s*)?(?-i:[A-Z]\w*(?:ed|elt|ilt|aught)|Wrote|Built|Made|Rewrote|Set up|Split|Ran|Kept|Put|Cut|Took"
    r"|Found|New|No longer|Now)\b(?! (?:by|for|in) )|^.{3,80}?\b(?:was|were|is now|are now|has been"
    r"|have been)"
    r" \w+(?:ed|en|lt)\b|^(?:我)?(?:已|新增|添加|修复|修改|更新|删除|实现|创建|重构|移除|优化|升级|提交"
    r"|改为|替换|增加|调整|支持)",
    re.IGNORECASE,
)
"""How an item of a list of what was done begins."""
PLACED = spoken_pattern(
    r"^`?[\w./-]+\.[a-z]{1,5}(?::\d+)?`?(?: \([^()\n]{1,40}\))?\s*[-–—:]\s*(?!(?:remove|add|set|change"
    r"|update|use|make|move|rename|replace|delete|create|fix|keep|needs?|should|would|could|will|must|might"
    r"|may)\b)\w",
    re.IGNORECASE,
)
"""An item of such a list that names a file, and what of it."""
REMOVED = spoken_pattern(
    r"^(?:i )?(?:removed|deleted|reverted|undid)\b|^(?:已)?(?:删除|移除|撤回)", re.IGNORECASE
)
CREATED = spoken_pattern(
    r"^(?:i )?(?:created|added|wrote|edited)\b|^(?:已)?(?:新增|添加|创建)", re.IGNORECASE
)
PLANS = spoken_pattern(
    r"\b(?:updated|written|wrote|revised|created|simplified) (?:the|a|my|this) (?:[\w-]+ ){0,3}plan\b"
    r"|\b(?:the|this|my) (?:[\w-]+ ){0,2}plan (?:now|is|has|covers|contains)\b"
    r"|(?:更新|制定|写)了?.{0,6}计划",
    re.IGNORECASE,
)
"""How a reply begins that tells of a plan: what it lists isn't done."""
ASKS_LEAVE = spoken_pattern(
    r"\b(?:want me to|shall i|should i|would you like me to|do you want me to|ready for me to|may i|can i"
    r"|ok(?:ay)? to|good to)\b.{0,40}\b(?:go ahead|proceed|implement|start|make|apply|do|build|write|add"
    r"|fix|create|continue|begin|work|execute|draft|update|change)\b.{0,120}[?？]\W*$|\b(?:does (?:this"
    r"|that)|how does this) (?:look|sound|work|seem)\b.{0,60}[?？]\W*$|(?:要|需要"
    r"|是否)(?:不要)?我.{0,30}(?:吗|？)|可以(?:开始|继续|动手)吗",
    re.IGNORECASE,
)
"""How a reply ends that proposes what it tells, and waits for the user to agree."""
INTENT = spoken_pattern(
    r"^(?:(?:now|good|great|ok(?:ay)?|next|then|also|all green)\W+)*(?:let me|i'll|i will"
    r"|i'm going to)\b(?! know)"
    r"|^(?:现在|接下来)?(?:让我|我来|我先)",
    re.IGNORECASE,
)
"""How the last sentence begins of a reply that broke off within the work."""
OFFERED = spoken_pattern(
    r"^(?:<\w+>)?\W*(?:reply|type|press|enter|hit|say|choose|pick|select|answer|click)\b.{1,80}?\b(?:to|for"
    r"|or|and|with)\b|^(?:<\w+>)?(?:`[^`\n]{1,80}`|/[\w:-]+|<[^>\n]{1,60}>)(?: \[[^\]\n]{1,40}\])?(?: "
    r"\([^)\n]{1,80}\))?\s*(?:to\b|for\b|first\b|[-–—:→]|$)|^(?:to|for) (?:exit|quit|filter|continue"
    r"|see more)\b|^(?:let me know|tell me|just say|say the word|feel free|when(?:ever)? you(?:'re| are)"
    r"|want me to)\b|\b(?:if|whenever|when) you(?:'d| would)? (?:like|want|wish|prefer|say|are ready"
    r"|need)\b|^(?:回复|输入|选择|按下?).{1,40}(?:以|来|即可|继续|退出)|如果你(?:想|需要|愿意)|告诉我",
    re.IGNORECASE,
)
"""What may be typed or said next, which nobody has to."""
EMPTY = spoken_pattern(
    r"^(?:(?:all )?(?:done|great|perfect|excellent|ok(?:ay)?|sure|yes|no|hello|hi|got it"
    r"|understood)\b[.!,: ]*|here(?:'s| is| are)\b.*[:：]?|(?:see|refer to) (?:the|our|its|their) .*"
    r"|let me know.*|how can i help.*|i'll .*|i will .*|i'm going to .*|let me .*|let's (?:see|look"
    r"|check).*|now (?:i|let)\b.*|first,? (?:i|let)\b.*|looking (?:at|into)\b.*|(?:(?:ah|oh|ok(?:ay)?|yes"
    r"|so|now)[, ]+)*(?:i (?:can )?(?:now )?(?:see|understand)(?: (?:it|now|what you mean"
    r"|the (?:\w+ )?(?:issue|problem|bug|error|point)))*|you(?:'re| are) (?:\w+ )?right(?: about (?:that"
    r"|this|it))?(?:[-–—, ]+i (?:had|was|missed)\b[^:;]{0,40})?|(?:this|that)(?:'s| is) (?:a |the )?(?:real"
    r"|same|actual) (?:problem|issue|bug))[.!]*|i(?:'ve| have) completed the (?:previous )?request.*"
    r"|好的?[。！，]?|你好.*|以下是.*|让我.*|我(?:来|会|将|先).*|完成[。！]?|搞定[。！]?|已完成[。！]?)$",
    re.IGNORECASE,
)
UNENDED = spoken_pattern(r"\b(?:via|to|with|by|from|of|and|the|as|following changes)$", re.IGNORECASE)
"""How a piece of a sentence ends whose end stood in a list or a fence."""
SHOWN = spoken_pattern(r"^here(?:'s| is| are)\s+|^以下是", re.IGNORECASE)
QUOTED = spoken_pattern(r"^[\"“「『]")
TRIVIAL = spoken_pattern(
    r"^(?:\w+(?:ed|ilt|one)(?:,? and |, )?){1,3}(?: (?:via|in|as|on|with|by"
    r"|below))?(?: `?[0-9a-f]{7,40}`?)?"
    r"[.:!]*$|^(?:draft )?(?:pr|pull request|commit)(?: #\d+)? created(?: successfully)?[.:]?(?: \S+)?$"
    r"|^(?:the "
    r"|my )?(?:analysis|research|investigation|review|document|report|plan"
    r"|exploration) is (?:now )?(?:complete|done|finished|ready)\b.{0,60}$|^(?:completed|progress|done"
    r"|status)\s*[:：]?\s*\d+\s*(?:/|of)\s*\d+\b.*$|^(?:(?:understood|ok(?:ay)?|great)\W+)?(?:(?:all"
    r"|both)(?: of)? )?(?:my |the |these "
    r"|our )?(?:[\w-]+ ){0,2}tasks?(?: #?\d+)?(?: \([^()]{1,30}\))? (?:is|are|has been"
    r"|have been) (?:now )?(?:all )?(?:complete|completed|done|finished)\b.{0,60}$|^(?:i(?:'ve"
    r"| have) )?(?:successfully )?(?:completed|finished) (?:all|both|the|my)(?: (?:of|my|the"
    r"|\w+)){0,3} (?:tasks?|work)\W*$|^(?:(?:all|the|both) )?(?:\w+ )?(?:(?:tests?|checks?|lint(?:er|ing)?"
    r"|builds?|everything)\b.{0,60}\b(?:pass(?:es|ed|ing)?|clean|green|succeed(?:s|ed)?|works?"
    r"|fine)\b.{0,30}|(?:fix|change|changes|work|implementation|task|feature|refactoring) (?:is"
    r"|are) (?:now )?(?:all )?(?:complete|completed|clean|done|ready|in place).{0,20}"
    r"|(?:successfully )?(?:done|fixed|updated|committed|pushed|merged|deployed)(?:,? and (?:committed"
    r"|pushed|merged|ran it|verified))?(?: successfully)?[.!]*)$|^(?:测试|检查|构建|编译)(?:全部|都"
    r"|均)?(?:已)?(?:通过|成功)[。！]?$",
    re.IGNORECASE,
)
"""What is done and says nothing of what."""
CHOICE = spoken_pattern(
    r"\bwhich\b|\bprefer\b|\bwould you rather\b|\bshould (?:we|it|this|the|they|i)\b.{3,200}\bor\b"
    r"|\bdo you (?:want|prefer|need)\b.{3,200}\bor\b|\bwhat (?:should|value|name|version|format"
    r"|behaviou?r)\b|哪(?:个|种|一|些)|还是|怎么选|倾向",
    re.IGNORECASE,
)
NOT_DONE = spoken_pattern(
    r"(?:^no\b|\b(?:not|none|nothing|neither|n't|never|cannot|unable|failed to|no longer|would|could|might"
    r"|if|can|let me|let's|i'll|once|until|whether|should|will|may)\b)|没有|未能|无法|不能|如果|尚未|还没",
    re.IGNORECASE,
)
SUPPOSED = spoken_pattern(
    rf"^(?:{SUPPOSING}|should you|for example|e\.g)\b|\b(?:would|could|might|should"
    rf"|unless)\b|^(?:{CHINESE_SUPPOSING}|若|例如|比如)",
    re.IGNORECASE,
)
MARKED_DONE = spoken_pattern(
    r"\b(?:marked|set|reported)(?: \w+)? as (?:complete|completed|done|finished|resolved)\b"
    r"|[-–—:]\s+(?:changed|replaced|added|fixed|removed|updated|moved|renamed|switched|created)\b",
    re.IGNORECASE,
)
GREETING = spoken_pattern(
    r"^(?:(?:all )?done|perfect|great|excellent|good catch|good point|you(?:'re| are) right|got it|fixed it"
    r"|sure|yes|ok(?:ay)?|已完成|完成|好的)\s*(?:[.!。！:：]|[,，—–]|\s-\s)\s*(?=\S)",
    re.IGNORECASE,
)
GOES_ON = spoken_pattern(r"(?:and i|with|but|though|plus|which|except|apart)\b", re.IGNORECASE)
"""How what is left of a line begins that says nothing without its greeting."""
CODE = spoken_pattern(r"`[^`]*`")
WORD = spoken_pattern(rf"[^\W\d_{UNSPACED}]{{2,}}|[{UNSPACED}]")
