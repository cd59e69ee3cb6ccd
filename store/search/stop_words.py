"""Words that say nothing of what a question is about, in English and (as bigrams) in Chinese."""

STOP_WORDS = frozenset(
    "a about above after again against ain all also am an and any are aren as at be because been "
    "before being below between both but by can could couldn d did didn do does doesn doing don down "
    "during each few for from further had hadn has hasn have haven having he her here hers herself "
    "him himself his how i if in into is isn it its itself just ll m ma me mightn more most mustn my "
    "myself needn no nor not now o of off on once only or other our ours ourselves out over own re s "
    "same shan she should shouldn so some such t than that the their theirs them themselves then "
    "there these they this those through to too under until up us ve very was wasn we were weren what "
    "when where which while who whom whose why will with won would wouldn y you your yours yourself "
    "yourselves "
    "什么 怎么 怎样 如何 为何 哪些 哪里 哪个 哪儿 是否 多少 几个 我们 你们 他们 这个 那个 这些 那些 可以 "
    "一个 没有 为什 么样 的是 了吗 是什 是谁 吗 呢 的 了 是 在 和 与 也 就 都 而 及".split()
)
