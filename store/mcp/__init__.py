"""The memory as agents ask it themselves: a server of the Model Context Protocol (`mem mcp`).

The messages of a client on standard input are read and answered here, without the SDK: importing it takes
1.4 s of a processor, and a server has to answer in 0.6 s. HTTP is served by the SDK.
"""
