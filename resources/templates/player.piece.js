// ------------------------------------------------------------------ a piece of animation

/** How a piece of animation is drawn; the script of a piece overrides the methods that it needs. */
class Piece {
  constructor(parts) { this.parts = parts; this.part = parts[0]; }
  /** Keep what it needs of the changes up to now; after a step back, from the beginning. */
  get state() {
    const all = (now.pieces ??= new Map());
    if (!all.has(this)) all.set(this, this.fresh());
    this.grow(all.get(this));
    return all.get(this);
  }
  fresh() { return {}; }
  grow(s) {}
  /** Set the places of the processes. */
  move(m) {}
  /** Draw: under everything else; under links; over links; over things on links; under messages; under processes. */
  under(c, m) {}
  areas(c, m) {}
  lines(c, m) {}
  arrows(c, m) {}
  inner(c, m) {}
  rings(c, m) {}
  /** Whether something inside a process replaces its name; draw it, and the name. */
  fills(p) { return false; }
  inside(c, m, p, ink) {}
  /** Draw: over processes; over the things beside them; over everything. */
  beside(c, m) {}
  above(c, m) {}
  over(c, m) {}
  /** The places where there is no room for texts. */
  boxes(c, m) { return []; }
  /** Draw an entry of the legend if it belongs to this piece; and count the things that it counts now. */
  sign(c, item, left, y, wide) { return false; }
  counted(item) { return null; }
}
/** The things that a crashed process held are pale. */
const paleOf = (p) => (now.crashed[p] ? 0.3 : 1);
/** The classes of the pieces of this run, by name; each comes with its script. */
const scripts = {};
/** The pieces of this run, created when they are first drawn: then all scripts are loaded. */
Object.defineProperty(pieces, "all", {
  get() {
    if (this.known) return this.known;
    const parts = Object.values(run.pieces).flatMap((told) => (Array.isArray(told) ? told.map(unpacked) : told));
    return (this.known = [...new Set(parts.map(({ piece }) => piece))].map((name) => new scripts[name](parts.filter(({ piece }) => piece === name))));
  },
});
