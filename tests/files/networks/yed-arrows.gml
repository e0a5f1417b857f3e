Creator	"yFiles"
Version	"2.20"
graph
[
	hierarchic	1
	label	""
	directed	1
	node
	[
		id	0
		label	"w0"
		graphics
		[
			x	100.0
			y	0.0
			w	30.0
			h	30.0
			type	"ellipse"
		]
		LabelGraphics
		[
			text	"w0"
			anchor	"c"
		]
	]
	node
	[
		id	1
		label	"w1"
		graphics
		[
			x	150.0
			y	20.0
			w	30.0
			h	30.0
			type	"ellipse"
		]
		LabelGraphics
		[
			text	"w1"
			anchor	"c"
		]
	]
	node
	[
		id	2
		label	"w2"
		graphics
		[
			x	200.0
			y	40.0
			w	30.0
			h	30.0
			type	"ellipse"
		]
		LabelGraphics
		[
			text	"w2"
			anchor	"c"
		]
	]
	node
	[
		id	3
		label	"w3"
		graphics
		[
			x	250.0
			y	60.0
			w	30.0
			h	30.0
			type	"ellipse"
		]
		LabelGraphics
		[
			text	"w3"
			anchor	"c"
		]
	]
	node
	[
		id	4
		label	"w4"
		graphics
		[
			x	300.0
			y	80.0
			w	30.0
			h	30.0
			type	"ellipse"
		]
		LabelGraphics
		[
			text	"w4"
			anchor	"c"
		]
	]
	node
	[
		id	5
		label	"w5"
		graphics
		[
			x	350.0
			y	100.0
			w	30.0
			h	30.0
			type	"ellipse"
		]
		LabelGraphics
		[
			text	"w5"
			anchor	"c"
		]
	]
	node
	[
		id	6
		label	"w6"
		graphics
		[
			x	400.0
			y	120.0
			w	30.0
			h	30.0
			type	"ellipse"
		]
		LabelGraphics
		[
			text	"w6"
			anchor	"c"
		]
	]
	node
	[
		id	7
		label	"w7"
		graphics
		[
			x	450.0
			y	140.0
			w	30.0
			h	30.0
			type	"ellipse"
		]
		LabelGraphics
		[
			text	"w7"
			anchor	"c"
		]
		gid	10
	]
	node
	[
		id	8
		label	"w8"
		graphics
		[
			x	500.0
			y	160.0
			w	30.0
			h	30.0
			type	"ellipse"
		]
		LabelGraphics
		[
			text	"w8"
			anchor	"c"
		]
		gid	10
	]
	node
	[
		id	9
		label	"w9"
		graphics
		[
			x	550.0
			y	180.0
			w	30.0
			h	30.0
			type	"ellipse"
		]
		LabelGraphics
		[
			text	"w9"
			anchor	"c"
		]
		gid	10
	]
	node
	[
		id	10
		label	"Group 1"
		graphics
		[
			x	1.0
			y	1.0
		]
		isGroup	1
	]
	edge
	[
		source	0
		target	1
		graphics
		[
			fill	"#000000"
		]
	]
	edge
	[
		source	1
		target	2
		graphics
		[
			fill	"#000000"
			targetArrow	"standard"
		]
	]
	edge
	[
		source	2
		target	3
		graphics
		[
			fill	"#000000"
			sourceArrow	"standard"
		]
	]
	edge
	[
		source	3
		target	4
		graphics
		[
			fill	"#000000"
		]
	]
	edge
	[
		source	4
		target	5
		graphics
		[
			fill	"#000000"
			targetArrow	"standard"
		]
	]
	edge
	[
		source	5
		target	6
		graphics
		[
			fill	"#000000"
			sourceArrow	"standard"
		]
	]
	edge
	[
		source	6
		target	7
		graphics
		[
			fill	"#000000"
		]
	]
	edge
	[
		source	7
		target	8
		graphics
		[
			fill	"#000000"
			targetArrow	"standard"
		]
	]
	edge
	[
		source	8
		target	9
		graphics
		[
			fill	"#000000"
			sourceArrow	"standard"
		]
	]
]
