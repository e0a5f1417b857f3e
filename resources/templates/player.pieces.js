// ------------------------------------------------------------------ pieces of animation

/** The declarations of the animation with their drawings: the same as in the window. */
const pieces = {
  all: [],
  find(name) { return this.all.find((one) => one.part.piece === name); },
  draw(what, c, m) { for (const one of this.all) one[what](c, m); },
  boxes(c, m) { return this.all.flatMap((one) => one.boxes(c, m)); },
  /** The piece that has drawn an entry of the legend. */
  sign(c, item, left, y, wide) { return this.all.find((one) => one.sign(c, item, left, y, wide)); },
  /** The share of the network in the view; the script of panels overrides it. */
  room: (w, h) => ({ w, h }),
  beside() {},
};
/** What message i carries after the first k events; and its colour: that of what it carries, or of its kind. */
const signOf = (i, k = now.k) => pieces.find("carries")?.of(i, k);
const colorOf = (i, k = now.k) => messageLook(signOf(i, k)?.colour ?? lookOf(i).kind).color;
