"""How synchroniser gamma is drawn.

Areas are clusters, blue links their trees, and dots mark the ends of preferred links.  The bar beside a process shows
its pulse.  Green squares wait for acknowledgements or for their children; then the cluster becomes safe from the leaves
to the leader, calm from the leader to the leaves, ready from the leaves to the leader, and begins the next pulse.
"""

from lydian.pieces.animation import Animation, Group, Marks, Pointer, Value, Watch

animation = Animation(
    states={"sleeping": 0, "joining": 5, "unsafe": 2, "safe": 4, "calm": 6, "ready": 7, "done": 3},
    messages={
        "Join": 3,
        "Borders": 5,
        "Prefer": 5,
        "Value": 0,
        "Ack": 1,
        "Safe": 2,
        "ClusterSafe": 2,
        "Ready": 4,
        "Pulse": 4,
    },
    labels={"ClusterSafe": "Cluster safe"},
    letters={"Safe": "S", "ClusterSafe": "C", "Ready": "R", "Pulse": "P"},
    pointers=(Pointer("parent", style="tree", word="tree of the cluster"),),
    marks=(Marks("preferred", slot=1, word="preferred link", style="dot"),),
    groups=Group("cluster", word="cluster"),
    values=(Value("pulse", style="bar", word="pulse"),),
    watch=Watch("pulse {pulse}, max {best}", when="best"),
    badge="pulse",
    phrases={
        ("sleeping", "Join"): "It hears of clusters for the first time, and belongs to that of {cluster}.",
        ("joining", "Prefer"): "It learns the preferred links of its cluster, and pulse 0 begins.",
        ("unsafe", "Ack"): "It has {unacked:value|values} that may still be in transit.",
        ("unsafe", "Safe"): "The subtree of {peer} is safe.",
        ("calm", "Ready"): "The clusters next to the subtree of {peer} are safe.",
        ("ready", "Pulse"): "All are ready, and pulse {pulse} begins.",
    },
)
