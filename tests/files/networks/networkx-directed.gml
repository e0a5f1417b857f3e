graph [
  directed 1
  name "flow"
  node [
    id 0
    label "source"
  ]
  node [
    id 1
    label "a"
  ]
  node [
    id 2
    label "b"
  ]
  node [
    id 3
    label "sink"
  ]
  edge [
    source 0
    target 1
    capacity 3
  ]
  edge [
    source 0
    target 2
    capacity 3
  ]
  edge [
    source 1
    target 2
    capacity 3
  ]
  edge [
    source 1
    target 3
    capacity 3
  ]
  edge [
    source 2
    target 1
    capacity 3
  ]
  edge [
    source 2
    target 3
    capacity 3
  ]
]
