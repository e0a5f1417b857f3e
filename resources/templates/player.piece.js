// ------------------------------------------------------------------ a piece of animation

/** How a piece of animation is drawn; the script of each says what of this it does. */
class Piece {
  constructor(parts) { this.parts = parts; this.part = parts[0]; }
  /** What it keeps of the changes up to now; after going back from the beginning. */
  get state() {
    const all = (now.pieces ??= new Map());
    if (!all.has(this)) all.set(this, this.fresh());
    this.grow(all.get(this));
    return all.get(this);
  }
  fresh() { return {}; }
  grow(s) {}
  /** Put processes where they are. */
  move(m) {}
  /** Draw: under all else; under links; over links; over what lies on these; under messages; under processes. */
  under(c, m) {}
  areas(c, m) {}
  lines(c, m) {}
  arrows(c, m) {}
  inner(c, m) {}
  rings(c, m) {}
  /** Whether something stands inside a process, in the place of its name; draw it, and the name. */
  fills(p) { return false; }
  inside(c, m, p, ink) {}
  /** Draw: over processes; over what stands beside them; over all that. */
  beside(c, m) {}
  above(c, m) {}
  over(c, m) {}
  /** Where texts find no room. */
  boxes(c, m) { return []; }
  /** Draw an entry of the legend, if it is one of this piece; and how many there are now of what it counts. */
  sign(c, item, left, y, wide) { return false; }
  counted(item) { return null; }
}
/** What a crashed process held is pale. */
const paleOf = (p) => (now.crashed[p] ? 0.3 : 1);
/** The classes of the pieces of this run, by name; each comes with its script. */
const scripts = {};
/** The pieces of this run, made when they are first drawn: then all scripts are there. */
Object.defineProperty(pieces, "all", {
  get() {
    if (this.known) return this.known;
    const parts = Object.values(run.pieces).flatMap((told) => (Array.isArray(told) ? told.map(unpacked) : told));
    return (this.known = [...new Set(parts.map(({ piece }) => piece))].map((name) => new scripts[name](parts.filter(({ piece }) => piece === name))));
  },
});
