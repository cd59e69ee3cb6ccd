"""Words that say nothing of what a question is about, in English and (as bigrams) in Chinese."""

STOP_WORDS = frozenset(
    "a about after again all also am an and any are as at be because been before being but by can "
    "could d did do does doing don for from had has have having he her here hers him his how i if in "
    "into is it its just ll m me more most my no nor not now of off on once only or other our out "
    "over own re s same she should so some such t than that the their them then there these they "
    "this those through to too under until up us ve very was we were what when where which while "
    "who whom why will with would you your "
    "什么 怎么 怎样 如何 为何 哪些 哪里 哪个 哪儿 是否 多少 几个 我们 你们 他们 这个 那个 这些 那些 可以 "
    "一个 没有 为什 么样 的是 了吗 是什 是谁 吗 呢 的 了 是 在 和 与 也 就 都 而 及".split()
)
