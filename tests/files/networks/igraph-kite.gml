Creator "igraph version 1.0.0 Sat Nov 21 08:16:01 2026"
Version 1
graph
[
  directed 0
  node
  [
    id 0
    name "Andre"
  ]
  node
  [
    id 1
    name "Beverley"
  ]
  node
  [
    id 2
    name "Carol"
  ]
  node
  [
    id 3
    name "Diane"
  ]
  node
  [
    id 4
    name "Ed"
  ]
  node
  [
    id 5
    name "Fernando"
  ]
  node
  [
    id 6
    name "Garth"
  ]
  node
  [
    id 7
    name "Heather"
  ]
  node
  [
    id 8
    name "Ike"
  ]
  node
  [
    id 9
    name "Jane"
  ]
  edge
  [
    source 1
    target 0
    weight 1.5
  ]
  edge
  [
    source 2
    target 0
    weight 1.5
  ]
  edge
  [
    source 3
    target 0
    weight 1.5
  ]
  edge
  [
    source 5
    target 0
    weight 1.5
  ]
  edge
  [
    source 3
    target 1
    weight 1.5
  ]
  edge
  [
    source 4
    target 1
    weight 1.5
  ]
  edge
  [
    source 6
    target 1
    weight 1.5
  ]
  edge
  [
    source 3
    target 2
    weight 1.5
  ]
  edge
  [
    source 5
    target 2
    weight 1.5
  ]
  edge
  [
    source 4
    target 3
    weight 1.5
  ]
  edge
  [
    source 5
    target 3
    weight 1.5
  ]
  edge
  [
    source 6
    target 3
    weight 1.5
  ]
  edge
  [
    source 6
    target 4
    weight 1.5
  ]
  edge
  [
    source 6
    target 5
    weight 1.5
  ]
  edge
  [
    source 7
    target 5
    weight 1.5
  ]
  edge
  [
    source 7
    target 6
    weight 1.5
  ]
  edge
  [
    source 8
    target 7
    weight 1.5
  ]
  edge
  [
    source 9
    target 8
    weight 1.5
  ]
]
