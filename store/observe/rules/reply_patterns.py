"""The words by which a reply is told to be chatter, a finding, a decision, a plan or an answer."""

from __future__ import annotations

import re

from ...text.language.phrases import CHINESE_DECIDED, CHINESE_NOUNS, WE_DECIDED, spoken_pattern

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
    r"|check|verify|create|need to|remove|replace|test|build|commit|clean|move|rename|starting with"
    r"|the \w+ types)\b",
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

QUESTION = spoken_pattern(r"[?？]\W*$|吗[。！]?$")

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
    rf"|the (?:user|team))(?:'ve| have)? (?:also |just |now |already "
    rf"|\w+ly )?(?:(?:{WE_DECIDED})(?!(?: on)? (?:whether|if|earlier)\b)"
    r"|picked|went with)\b(?! (?:whether|if)\b)|(?:\w+ly )?(?:decided (?:to|on|against|not)|agreed (?:to"
    r"|on)|opted (?:to|for)|chose\b.{2,80}\b(?:over|instead|because))\b)|\b(?:i|we)(?:'ll"
    r"| will) (?:go|stick|stay) with\b|\b(?:i'm|we're|let's) (?:going|go|sticking|stick) with\b"
    rf"|(?:^|\b(?:the|my|our|your|final) )(?:decision|choice)(?:\s*:| (?:is|was)(?: to\b| that\b|:))"
    rf"|(?:{CHINESE_DECIDED})(?!性|俗成)"
    rf"|最终(?:选择|方案)|选用|定为"
    rf"|选择了?.{{1,30}}而不是"
    r"|(?:我们|最终)采用",
    re.IGNORECASE,
)
"""A sentence that says what was decided, by the one who speaks or hears it."""
