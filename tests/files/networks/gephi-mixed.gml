graph
[
  Creator "Gephi"
  directed 1
  node
  [
    id 0
    label "Ada"
    graphics
    [
      x -120.5
      y 40.0
      z 0.0
      w 10.0
      h 10.0
      d 10.0
      fill "#999999"
    ]
    Degree "2"
  ]
  node
  [
    id 1
    label "Bo"
    graphics
    [
      x -93.25
      y -27.5
      z 0.0
      w 10.0
      h 10.0
      d 10.0
      fill "#999999"
    ]
    Degree "2"
  ]
  node
  [
    id 2
    label "Cy"
    graphics
    [
      x -66.0
      y 65.0
      z 0.0
      w 10.0
      h 10.0
      d 10.0
      fill "#999999"
    ]
    Degree "2"
  ]
  node
  [
    id 3
    label "Di"
    graphics
    [
      x -38.75
      y -2.5
      z 0.0
      w 10.0
      h 10.0
      d 10.0
      fill "#999999"
    ]
    Degree "2"
  ]
  node
  [
    id 4
    label "Ed"
    graphics
    [
      x -11.5
      y 90.0
      z 0.0
      w 10.0
      h 10.0
      d 10.0
      fill "#999999"
    ]
    Degree "2"
  ]
  node
  [
    id 5
    label "Flo"
    graphics
    [
      x 15.75
      y 22.5
      z 0.0
      w 10.0
      h 10.0
      d 10.0
      fill "#999999"
    ]
    Degree "2"
  ]
  node
  [
    id 6
    label "Gus"
    graphics
    [
      x 43.0
      y 115.0
      z 0.0
      w 10.0
      h 10.0
      d 10.0
      fill "#999999"
    ]
    Degree "2"
  ]
  node
  [
    id 7
    label "Hal"
    graphics
    [
      x 70.25
      y 47.5
      z 0.0
      w 10.0
      h 10.0
      d 10.0
      fill "#999999"
    ]
    Degree "2"
  ]
  node
  [
    id 8
    label "Ida"
    graphics
    [
      x 97.5
      y 140.0
      z 0.0
      w 10.0
      h 10.0
      d 10.0
      fill "#999999"
    ]
    Degree "2"
  ]
  node
  [
    id 9
    label "Jo"
    graphics
    [
      x 124.75
      y 72.5
      z 0.0
      w 10.0
      h 10.0
      d 10.0
      fill "#999999"
    ]
    Degree "2"
  ]
  edge
  [
    id 0
    source 0
    target 1
    value 1.0
    directed 1
    fill "#999999"
  ]
  edge
  [
    id 1
    source 1
    target 2
    value 2.0
    directed 1
    fill "#999999"
  ]
  edge
  [
    id 2
    source 2
    target 0
    value 3.0
    directed 1
    fill "#999999"
  ]
  edge
  [
    id 3
    source 2
    target 3
    value 1.0
    directed 0
    fill "#999999"
  ]
  edge
  [
    id 4
    source 3
    target 4
    value 2.0
    directed 0
    fill "#999999"
  ]
  edge
  [
    id 5
    source 4
    target 5
    value 3.0
    directed 1
    fill "#999999"
  ]
  edge
  [
    id 6
    source 5
    target 6
    value 1.0
    directed 0
    fill "#999999"
  ]
  edge
  [
    id 7
    source 6
    target 7
    value 2.0
    directed 1
    fill "#999999"
  ]
  edge
  [
    id 8
    source 7
    target 8
    value 3.0
    directed 1
    fill "#999999"
  ]
  edge
  [
    id 9
    source 8
    target 9
    value 1.0
    directed 0
    fill "#999999"
  ]
  edge
  [
    id 10
    source 9
    target 0
    value 2.0
    directed 1
    fill "#999999"
  ]
]
