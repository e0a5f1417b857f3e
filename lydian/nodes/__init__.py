"""Programs in any language as processes: the network between them, their clients, and checks of what they answer.

The programs speak the protocol of Maelstrom (K. Kingsbury, https://github.com/jepsen-io/maelstrom, doc/protocol.md,
doc/workloads.md, doc/services.md): one JSON object a line on standard input and output.
"""
