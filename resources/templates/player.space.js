// ------------------------------------------------------------------ space

// A network in three dimensions, drawn by WebGL into a canvas of its own and copied to that of the view; labels and
// cards are drawn over it in two dimensions.  The arithmetic and the order of drawing are those of the window.

const FIELD = 42, NEAR = 0.05, STEEPEST = (85 * Math.PI) / 180, CLOSEST = 0.08, FARTHEST = 40, THICKEST = 0.72;
const YAW = (-24 * Math.PI) / 180, PITCH = (-17 * Math.PI) / 180, STEEP = (-34 * Math.PI) / 180, FILLED = 0.7;
const GLOW = 2.3, HALO = 3, LIGHT = 0.5, DAZZLING = 34, LANE = 0.2, TRAIL = 0.42;
const within = (x, low, high) => Math.min(Math.max(x, low), high);
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const plus = (a, b, k = 1) => [a[0] + k * b[0], a[1] + k * b[1], a[2] + k * b[2]];
const minus = (a, b) => plus(a, b, -1);
const far = (a) => Math.hypot(...a);

/** Where the viewer stands and looks: a yaw of 0 looks along -z, a positive pitch upwards; `reach` is the distance of the pivot. */
class Viewpoint {
  constructor(eye, yaw = 0, pitch = 0, reach = 3) { Object.assign(this, { eye, yaw, pitch, reach }); }
  /** The directions right, up and ahead. */
  get axes() {
    const sin = Math.sin(this.yaw), cos = Math.cos(this.yaw), rise = Math.sin(this.pitch), level = Math.cos(this.pitch);
    return [[cos, 0, sin], [-sin * rise, level, cos * rise], [sin * level, rise, -cos * level]];
  }
  get pivot() { return plus(this.eye, this.axes[2], this.reach); }
  around(pivot, yaw, pitch, reach) {
    const found = new Viewpoint([0, 0, 0], yaw, within(pitch, -STEEPEST, STEEPEST), within(reach, CLOSEST, FARTHEST));
    found.eye = plus(pivot, found.axes[2], -found.reach);
    return found;
  }
  orbit(yaw, pitch) { return this.around(this.pivot, this.yaw + yaw, this.pitch + pitch, this.reach); }
  nearer(factor) { return this.around(this.pivot, this.yaw, this.pitch, this.reach / factor); }
  slide(right, up) { return new Viewpoint(plus(plus(this.eye, this.axes[0], right), this.axes[1], up), this.yaw, this.pitch, this.reach); }
  walk(right, up, ahead) { return new Viewpoint(plus(plus(plus(this.eye, this.axes[0], right), this.axes[2], ahead), [0, up, 0]), this.yaw, this.pitch, this.reach); }
  /** The camera on the way to another one; it turns the shorter way round. */
  towards(other, share) {
    const turn = ((((other.yaw - this.yaw + Math.PI) % (2 * Math.PI)) + 2 * Math.PI) % (2 * Math.PI)) - Math.PI, pivot = this.pivot;
    return this.around(plus(pivot, minus(other.pivot, pivot), share), this.yaw + turn * share, this.pitch + (other.pitch - this.pitch) * share, this.reach * (other.reach / this.reach) ** share);
  }
}
/** A camera before a screen of w × h pixels; without depth the projection is parallel. */
class Sight {
  constructor(camera, w, h, depth = 1) {
    Object.assign(this, { camera, w, h, depth, axes: camera.axes, focal: (0.5 * Math.min(h, 1.1 * w)) / Math.tan((FIELD * Math.PI) / 360) });
    const middle = this.turned([0, 0, 0])[2];
    this.near = Math.max(middle - 1, 2 * NEAR);
    this.away = Math.max(middle + 1.15, this.near + 1);
  }
  turned(point) {
    const way = minus(point, this.camera.eye);
    return [dot(way, this.axes[0]), dot(way, this.axes[1]), (1 - this.depth) * this.camera.reach + this.depth * dot(way, this.axes[2])];
  }
  /** Where a point is on the screen, and its weight: sizes are divided by it. */
  project(point) {
    const [x, y, weight] = this.turned(point), scale = this.focal / Math.max(weight, NEAR);
    return [this.w / 2 + x * scale, this.h / 2 - y * scale, weight];
  }
  size(length, weight) { return (length * this.focal) / Math.max(weight, NEAR); }
  fog(weight) { return this.depth * THICKEST * within((weight - this.near) / (this.away - this.near), 0, 1); }
}
/** The camera with which points fill a share of the screen, in the direction of a camera. */
function fitted(points, camera, w, h, depth = 1, share = FILLED) {
  if (!points.length) return camera;
  const low = [0, 1, 2].map((k) => Math.min(...points.map((p) => p[k]))), high = [0, 1, 2].map((k) => Math.max(...points.map((p) => p[k])));
  let pivot = plus(low, minus(high, low), 0.5), found = camera;
  const size = Math.max(0.15, ...points.map((p) => far(minus(p, pivot)))), room = [(share / 2) * w, (share / 2) * h];
  for (let round = 0; round < 4; round++) {
    let near = 0.6 * size, away = FARTHEST, box = null;
    const seen = (reach) => {
      found = camera.around(pivot, camera.yaw, camera.pitch, reach);
      const sight = new Sight(found, w, h, depth), at = points.map((p) => sight.project(p));
      box = [0, 1].map((k) => [Math.min(...at.map((p) => p[k])), Math.max(...at.map((p) => p[k]))]);
      return box.some(([a, b], k) => (b - a) / 2 > room[k]) || at.some((p) => p[2] < 2 * NEAR);
    };
    for (let step = 0; step < 20; step++) { const reach = Math.sqrt(near * away); if (seen(reach)) near = reach; else away = reach; }
    seen(away);
    const [x, y] = box.map(([a, b], k) => (a + b) / 2 - [w, h][k] / 2), focal = new Sight(found, w, h, depth).focal;
    pivot = plus(plus(pivot, found.axes[0], (x * away) / focal), found.axes[1], (-y * away) / focal);
  }
  return camera.around(pivot, camera.yaw, camera.pitch, found.reach);
}
/** The first view of places: from the front and a little from above. */
function homeOf(places, w, h) {
  const extent = [0, 1, 2].map((k) => Math.max(...places.map((p) => p[k]), -1e9) - Math.min(...places.map((p) => p[k]), 1e9));
  return fitted(places, new Viewpoint([0, 0, 3], YAW, places.length && extent[1] < 0.6 * Math.min(extent[0], extent[2]) ? STEEP : PITCH), w, h);
}
/** Positions of the flat network, y downwards, as places in the plane z = 0 at most 1 from the middle. */
function flattened(xs, ys) {
  const middle = [xs, ys].map((v) => (Math.min(...v) + Math.max(...v)) / 2), most = Math.max(...xs.map((x, i) => Math.hypot(x - middle[0], ys[i] - middle[1]))) || 1;
  return xs.map((x, i) => [(x - middle[0]) / most, -(ys[i] - middle[1]) / most, 0]);
}
/** Where a message is between two places, and where its trail begins; it keeps to the right of its link. */
function flyingAt(a, b, share, body, depth, place = 0) {
  const way = minus(b, a), length = Math.max(far(way), 1e-9), skip = Math.min((0.5 * body) / length, 0.4);
  if (length < 1e-6) { const at = plus(a, [0, body * (0.6 + Math.sin(Math.PI * share)), 0]); return [at, at]; }
  const part = within(share, skip, 1 - skip - Math.min((0.3 * place * body) / length, 0.3));
  let side = [depth * -way[2] + (1 - depth) * way[1], (1 - depth) * -way[0], depth * way[0]];
  const wide = far(side);
  side = wide > 1e-6 ? side.map((k) => (k / wide) * LANE * body) : [LANE * body, 0, 0];
  return [plus(plus(a, way, part), side), plus(plus(a, way, Math.max(part - TRAIL, skip)), side)];
}

const SPACE = `precision highp float;
uniform vec3 eye, right, up, ahead, ground, bright;
uniform vec4 lens; // focal length, depth, reach, how much of the bright colour is in a light
uniform vec4 room; // width and height in pixels, where the fog begins and where it is thickest
vec3 turned(vec3 p) { vec3 way = p - eye; return vec3(dot(way, right), dot(way, up), (1. - lens.y) * lens.z + lens.y * dot(way, ahead)); }
float fogAt(float weight) { return lens.y * ${THICKEST} * clamp((weight - room.z) / (room.w - room.z), 0., 1.); }
vec4 inFog(vec4 tint, float fog) { return vec4(mix(tint.rgb, ground * tint.a, fog), tint.a); }
`;
const LINE = [`${SPACE}
attribute vec3 a, b; attribute vec2 corner; attribute vec3 look; attribute vec2 fade; attribute vec3 colour;
varying vec4 tint; varying vec3 at; varying vec2 form;
void main() {
  vec3 p = turned(a), q = turned(b);
  if (p.z < ${NEAR} && q.z < ${NEAR}) { gl_Position = vec4(2., 2., 2., 1.); return; }
  if (p.z < ${NEAR}) p = mix(p, q, (${NEAR} - p.z) / (q.z - p.z)); else if (q.z < ${NEAR}) q = mix(q, p, (${NEAR} - q.z) / (p.z - q.z));
  vec2 s = p.xy * lens.x / p.z, t = q.xy * lens.x / q.z, way = t - s;
  float middle = (p.z + q.z) / 2., fog = fogAt(middle), length_ = length(way);
  float wide = look.y > 0. ? clamp(look.y * lens.x / middle, .2 * look.x, look.x) : look.x * (1.15 - fog);
  vec2 along = length_ > .0001 ? way / length_ : vec2(1., 0.);
  gl_Position = vec4((mix(s, t, corner.x) + vec2(-along.y, along.x) * corner.y * (wide / 2. + 1.)) / (room.xy / 2.), 0., 1.);
  tint = inFog(vec4(colour, 1.), fogAt(corner.x < .5 ? p.z : q.z)) * mix(fade.x, fade.y, corner.x);
  at = vec3(corner.x * length_, corner.y * (wide / 2. + 1.), wide); form = vec2(look.z, 0.);
}`, `precision highp float;
varying vec4 tint; varying vec3 at; varying vec2 form;
void main() {
  if (form.x > 0. && mod(at.x, 2. * form.x) > form.x) discard;
  gl_FragColor = tint * clamp(at.z / 2. + .5 - abs(at.y), 0., 1.) * min(at.z, 1.);
}`];
const THING = [`${SPACE}
attribute vec3 a; attribute vec2 corner, cell; attribute vec3 look; attribute vec4 colour;
varying vec4 tint; varying vec2 at, uv; varying float form, fog;
void main() {
  vec3 p = turned(a);
  if (p.z < ${2 * NEAR}) { gl_Position = vec4(2., 2., 2., 1.); return; }
  float d = look.x * lens.x / p.z, turn = look.z;
  if (look.y > 9.) d = min(d, ${DAZZLING}.);
  form = mod(look.y, 10.); at = corner * 2.; uv = cell;
  vec2 by = corner * d * (form > 1.5 ? ${HALO}. : form > .5 ? ${GLOW} : 1.5);
  gl_Position = vec4((p.xy * lens.x / p.z + vec2(by.x * cos(turn) - by.y * sin(turn), by.x * sin(turn) + by.y * cos(turn))) / (room.xy / 2.), 0., 1.);
  tint = colour; fog = fogAt(p.z);
}`, `${SPACE}
uniform sampler2D pictures;
varying vec4 tint; varying vec2 at, uv; varying float form, fog;
float between(float r, float a, float b, float p, float q) { return mix(p, q, clamp((r - a) / (b - a), 0., 1.)); }
void main() {
  float r = length(at);
  if (form < .5) { gl_FragColor = inFog(texture2D(pictures, uv), fog) * tint.a; return; }
  if (r >= 1.) discard;
  vec3 shade = mix(tint.rgb, ground, fog); float alpha;
  if (form < 1.5) alpha = r < .45 ? between(r, 0., .45, 1., .55) : r < .7 ? between(r, .45, .7, .55, .18) : between(r, .7, 1., .18, 0.);
  else {
    shade = mix(mix(shade, bright, lens.w), shade, r < .16 ? between(r, 0., .16, 0., .25) : between(r, .16, .34, .25, 1.));
    alpha = r < .16 ? between(r, 0., .16, .95, .75) : r < .34 ? between(r, .16, .34, .75, .42) : r < .62 ? between(r, .34, .62, .42, .14) : between(r, .62, 1., .14, 0.);
  }
  gl_FragColor = vec4(shade, 1.) * alpha * tint.a;
}`];
const ATTRIBUTES = { a: 3, b: 3, corner: 2, cell: 2, look: 3, fade: 2, colour: 0 };
const CORNERS_OF = [[0, -1], [1, -1], [0, 1], [0, 1], [1, -1], [1, 1]], SQUARE = [[-0.5, -0.5], [0.5, -0.5], [-0.5, 0.5], [-0.5, 0.5], [0.5, -0.5], [0.5, 0.5]];
const channels = (colour) => [1, 3, 5].map((i) => parseInt(colour.slice(i, i + 2), 16) / 255);
const blended = (a, b, share) => { const one = channels(a), two = channels(b); return "#" + one.map((k, i) => Math.round(255 * (k + (two[i] - k) * share)).toString(16).padStart(2, "0")).join(""); };

/** The pictures of bodies and heads, each drawn once: the cells of a texture. */
class Pictures {
  constructor() { this.side = 2048; this.cell = 170; this.canvas = Object.assign(document.createElement("canvas"), { width: this.side, height: this.side / 2 }); this.clear(""); }
  /** Begin anew for a theme. */
  clear(key) { this.key = key; this.places = new Map(); this.fresh = true; this.c = this.canvas.getContext("2d"); this.c.clearRect(0, 0, this.side, this.side / 2); }
  /** The corners of a picture in the texture; `draw` draws it around 0, 0 with the diameter it is given. */
  of(name, draw) {
    let place = this.places.get(name);
    if (!place) {
      const columns = Math.floor(this.side / this.cell), number = this.places.size % (columns * Math.floor(this.side / 2 / this.cell));
      place = [(number % columns) * this.cell, Math.floor(number / columns) * this.cell];
      this.places.set(name, place); this.fresh = true;
      this.c.clearRect(...place, this.cell, this.cell);
      this.c.save(); this.c.translate(place[0] + this.cell / 2, place[1] + this.cell / 2); draw(this.c, this.cell / 1.5); this.c.restore();
    }
    return [place[0] / this.side, place[1] / (this.side / 2), (place[0] + this.cell) / this.side, (place[1] + this.cell) / (this.side / 2)];
  }
}
const lit = (inks, colour, bright) => (bright > 0 ? blended(colour, inks.dark ? inks.ink : inks.ground, Math.min(0.55 * bright, 0.8)) : blended(colour, inks.dark ? inks.ground : inks.ink, Math.min(-0.75 * bright, 0.8)));
function polygon(c, corners, fill) { c.beginPath(); corners.forEach((at) => c.lineTo(...at)); c.closePath(); c.fillStyle = fill; c.fill(); }
/** Draw the body of a process: the solid of its state; a crashed one is a ruin, and an initiator has a ring around its foot. */
function drawBody(c, d, inks, look, solids, crashed, ringed) {
  const round = !solids[look.shape], foot = (from) => { c.strokeStyle = inks.ink; c.lineWidth = Math.max(1, d * 0.045); c.beginPath(); c.ellipse(0, 0.32 * d, 0.64 * d, 0.2 * d, 0, from, from + Math.PI); c.stroke(); };
  const fill = crashed ? blended(blended(look.fill, inks.control, 0.55), inks.ground, 0.25) : look.fill;
  c.lineJoin = "round"; c.save();
  if (crashed) { c.beginPath(); [[-1, 0.05], [-0.42, 0], [-0.3, 0.14], [-0.14, -0.14], [0.02, 0.1], [0.18, -0.04], [0.34, 0.16], [1, 0.06], [1, 1], [-1, 1]].forEach(([a, b]) => c.lineTo(a * d, b * d)); c.clip(); }
  else if (ringed) foot(Math.PI);
  if (round) {
    const r = 0.46 * d, shade = c.createRadialGradient(-0.3 * r, -0.4 * r, 0, -0.3 * r, -0.4 * r, 1.5 * r);
    shade.addColorStop(0, lit(inks, fill, 0.7)); shade.addColorStop(0.35, fill); shade.addColorStop(1, lit(inks, fill, -0.75));
    c.beginPath(); c.arc(0, 0, r, 0, 7); c.fillStyle = shade; c.fill(); c.strokeStyle = look.line; c.lineWidth = Math.max(0.7, d * 0.022); c.stroke();
  } else for (const [bright, ...at] of solids[look.shape]) {
    const shade = lit(inks, fill, bright), corners = [];
    for (let i = 0; i < at.length; i += 2) corners.push([at[i] * d, at[i + 1] * d]);
    polygon(c, corners, shade);
    c.strokeStyle = inks.dark ? shade : look.line; c.lineWidth = inks.dark ? 0.9 : Math.max(0.7, d * 0.022); c.stroke();
  }
  c.restore();
  if (crashed) {
    for (const [a, b, size, bright] of [[-0.58, 0.42, 0.1, -0.2], [0.56, 0.46, 0.13, 0.1], [0.4, 0.54, 0.07, -0.4]])
      polygon(c, [[a - size, b], [a, b - size], [a + size, b + 0.3 * size], [a, b + 0.8 * size]].map(([x, y]) => [x * d, y * d]), lit(inks, fill, bright));
    c.strokeStyle = inks.fault; c.lineWidth = d * 0.075; c.lineCap = "round"; c.beginPath();
    c.moveTo(-0.26 * d, -0.38 * d); c.lineTo(0.26 * d, 0.14 * d); c.moveTo(0.26 * d, -0.38 * d); c.lineTo(-0.26 * d, 0.14 * d); c.stroke();
  } else if (ringed) foot(0);
}

/** The one WebGL canvas of a page, and what it draws into a view. */
class Space {
  /** @param solids the faces of the solids: shape -> faces, each its brightness and its corners. */
  constructor(solids) {
    this.solids = solids; this.canvas = document.createElement("canvas");
    this.canvas.addEventListener("webglcontextlost", (event) => { event.preventDefault(); this.gl = null; });
    this.canvas.addEventListener("webglcontextrestored", () => { this.start(); this.restored?.(); });
    this.start();
  }
  start() {
    const gl = (this.gl = this.canvas.getContext("webgl", { alpha: true, antialias: true, premultipliedAlpha: true, depth: false }));
    if (!gl) return;
    this.lines = this.program(LINE); this.things = this.program(THING);
    this.buffer = gl.createBuffer(); this.texture = gl.createTexture(); this.pictures = new Pictures();
    gl.bindTexture(gl.TEXTURE_2D, this.texture);
    for (const [name, value] of [[gl.TEXTURE_MIN_FILTER, gl.LINEAR_MIPMAP_LINEAR], [gl.TEXTURE_MAG_FILTER, gl.LINEAR], [gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE], [gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE]]) gl.texParameteri(gl.TEXTURE_2D, name, value);
    gl.enable(gl.BLEND); gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
  }
  /** Whether the browser can draw. */
  get able() { return !!this.gl && !this.gl.isContextLost(); }
  program(sources) {
    const gl = this.gl, program = gl.createProgram();
    sources.forEach((source, i) => {
      const shader = gl.createShader(i ? gl.FRAGMENT_SHADER : gl.VERTEX_SHADER);
      gl.shaderSource(shader, source); gl.compileShader(shader);
      if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS) && !gl.isContextLost()) throw new Error(gl.getShaderInfoLog(shader));
      gl.attachShader(program, shader);
    });
    gl.linkProgram(program);
    const parts = [];
    let stride = 0;
    for (const [name, size] of Object.entries(ATTRIBUTES)) {
      const at = gl.getAttribLocation(program, name), long = size || (sources === LINE ? 3 : 4);
      if (at >= 0) { parts.push([at, long, 4 * stride]); stride += long; }
    }
    return { program, parts, stride, uniform: (name) => gl.getUniformLocation(program, name) };
  }
  /** Draw triangles; `values` holds their attributes one corner after the other. */
  draw({ program, parts, stride, uniform }, values, sight, inks) {
    const gl = this.gl, { camera, axes } = sight;
    if (!values.length) return;
    gl.useProgram(program);
    gl.uniform3fv(uniform("eye"), camera.eye); gl.uniform3fv(uniform("right"), axes[0]); gl.uniform3fv(uniform("up"), axes[1]); gl.uniform3fv(uniform("ahead"), axes[2]);
    gl.uniform3fv(uniform("ground"), channels(inks.ground)); gl.uniform3fv(uniform("bright"), channels(inks.ink));
    gl.uniform4f(uniform("lens"), sight.focal, sight.depth, camera.reach, inks.dark ? 0.62 : 0); gl.uniform4f(uniform("room"), sight.w, sight.h, sight.near, sight.away);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.buffer); gl.bufferData(gl.ARRAY_BUFFER, new Float32Array(values), gl.STREAM_DRAW);
    for (const [at, long, offset] of parts) { gl.enableVertexAttribArray(at); gl.vertexAttribPointer(at, long, gl.FLOAT, false, 4 * stride, offset); }
    gl.drawArrays(gl.TRIANGLES, 0, values.length / stride);
    for (const [at] of parts) gl.disableVertexAttribArray(at);
  }
  /**
   * Draw a scene over what is on a canvas of `sight.w` × `sight.h` pixels.
   * @param scene bottom: the height of the floor; body: the diameter of a process; lines: {a, b, colour, width, wide
   *   (in units of space, at most `width` pixels), dash, from, to (opacity at the ends)}; bodies: {at, look: {shape,
   *   fill, line}, crashed, ringed, size}; lights: {at, tail, colour, head: [name, path to draw]}; figures: {at, yaw, colour}.
   */
  paint(c, sight, ratio, scene, inks) {
    const gl = this.gl, width = Math.max(1, Math.round(sight.w * ratio)), height = Math.max(1, Math.round(sight.h * ratio));
    if (this.canvas.width !== width || this.canvas.height !== height) Object.assign(this.canvas, { width, height });
    if (this.pictures.key !== inks.ground + inks.ink) this.pictures.clear(inks.ground + inks.ink);
    const things = this.sorted(scene, sight, inks);
    if (this.pictures.fresh) {
      gl.pixelStorei(gl.UNPACK_PREMULTIPLY_ALPHA_WEBGL, true);
      gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, gl.RGBA, gl.UNSIGNED_BYTE, this.pictures.canvas); gl.generateMipmap(gl.TEXTURE_2D);
      this.pictures.fresh = false;
    }
    gl.viewport(0, 0, width, height); gl.clearColor(0, 0, 0, 0); gl.clear(gl.COLOR_BUFFER_BIT);
    this.draw(this.lines, [...this.floor(scene, sight, inks), ...this.stroked(scene.lines)], sight, inks);
    this.draw(this.lines, this.stroked(scene.lights.filter(({ tail }) => tail).map(({ at, tail, colour }) => ({ a: tail, b: at, colour, width: 2.6, from: 0.12, to: 0.95 }))), sight, inks);
    this.draw(this.things, things, sight, inks);
    c.drawImage(this.canvas, 0, 0, sight.w, sight.h);
  }
  stroked(lines) {
    const found = [];
    for (const { a, b, colour, width, wide = 0, dash = 0, from = 1, to = from } of lines) {
      const tint = channels(colour);
      for (const corner of CORNERS_OF) found.push(...a, ...b, ...corner, width, wide, dash, from, to, ...tint);
    }
    return found;
  }
  /** The faint grid of the floor, fading with the distance from the middle. */
  floor(scene, sight, inks) {
    if (sight.depth <= 0) return [];
    const gap = 0.3, half = 8 * gap, lines = [], colour = blended(inks.ground, inks.subtle, 0.85 * sight.depth), shown = (x, z) => Math.max(0, 0.65 - (0.65 * Math.hypot(x, z)) / half);
    for (let i = 0; i < 17; i++) for (let k = 0; k < 16; k++) {
      const fixed = i * gap - half, from = k * gap - half, to = from + gap, y = scene.bottom;
      if (shown(fixed, from + gap / 2) < 0.02) continue;
      lines.push({ a: [fixed, y, from], b: [fixed, y, to], colour, width: 1.6, from: shown(fixed, from), to: shown(fixed, to) }, { a: [from, y, fixed], b: [to, y, fixed], colour, width: 1.6, from: shown(from, fixed), to: shown(to, fixed) });
    }
    return this.stroked(lines);
  }
  /** The corners of all bodies and lights, the farthest first. */
  sorted(scene, sight, inks) {
    const found = [], put = (at, box, size, form, turn, colour, alpha) => {
      for (const [x, y] of SQUARE) found.push(...at, x, y, box[x < 0 ? 0 : 2], box[y < 0 ? 3 : 1], size, form, turn, ...colour, alpha);
    };
    const all = [...scene.bodies.map((it) => [this.body, it]), ...scene.lights.map((it) => [this.light, it]), ...(scene.figures ?? []).map((it) => [this.figure, it])];
    const depths = all.map(([, it]) => sight.turned(it.at)[2]);
    for (const i of depths.map((_, i) => i).sort((a, b) => depths[b] - depths[a])) if (depths[i] > 2 * NEAR) all[i][0].call(this, all[i][1], put, scene, sight, inks);
    return found;
  }
  body({ at, look, crashed = false, ringed = false, size = 1 }, put, scene, sight, inks) {
    const nothing = [0, 0, 0, 0], box = this.pictures.of(`${look.shape} ${look.fill} ${crashed} ${ringed}`, (c, d) => drawBody(c, d, inks, look, this.solids, crashed, ringed));
    if (!crashed) put(at, nothing, size * scene.body, 1, 0, channels(look.fill), inks.dark ? 0.34 : 0.22);
    put(at, box, size * scene.body, 0, 0, [1, 1, 1], 1);
  }
  light({ at, tail, colour, head }, put, scene, sight, inks) {
    const [x, y] = sight.project(at), [u, v] = sight.project(tail ?? at), turn = Math.atan2(v - y, x - u), nothing = [0, 0, 0, 0];
    put(at, nothing, LIGHT * scene.body, 12, 0, channels(colour), inks.dark ? 1 : 0.7);
    const box = this.pictures.of(`${head[0]} ${colour}`, (c, d) => { c.fillStyle = blended(colour, inks.ink, inks.dark ? 0.62 : 0); head[1](c, 0.62 * d); });
    put(at, box, LIGHT * scene.body, 10, turn, [1, 1, 1], 1);
  }
  /** Somebody else in the world: a head that shows where it looks, over a shadow of their colour. */
  figure({ at, yaw, colour, size = 0.11 }, put, scene, sight, inks) {
    const nothing = [0, 0, 0, 0], turned = Math.round(((yaw - sight.camera.yaw) / (Math.PI / 8)) % 16);
    put(at, nothing, size, 1, 0, channels(colour), inks.dark ? 0.4 : 0.28);
    put(at, this.pictures.of(`figure ${colour} ${turned}`, (c, d) => drawFigure(c, d, inks, colour, (turned * Math.PI) / 8)), size, 0, 0, [1, 1, 1], 1);
  }
}
/** Draw a person: shoulders and a head, with a beam in the direction in which they look (0: away from the viewer). */
function drawFigure(c, d, inks, colour, turn) {
  const beam = () => { const x = Math.sin(turn), y = -0.35 * Math.cos(turn); c.globalAlpha = 0.55; polygon(c, [[0.1 * d * -y, -0.26 * d], [0.66 * d * x - 0.2 * d * y, -0.26 * d + 0.66 * d * y - 0.1 * d * x], [0.66 * d * x + 0.2 * d * y, -0.26 * d + 0.66 * d * y + 0.1 * d * x]], colour); c.globalAlpha = 1; };
  c.strokeStyle = inks.ground; c.lineWidth = d * 0.03; c.lineJoin = "round";
  if (Math.cos(turn) > 0) beam();
  c.beginPath(); c.moveTo(-0.3 * d, 0.5 * d); c.bezierCurveTo(-0.3 * d, 0.06 * d, 0.3 * d, 0.06 * d, 0.3 * d, 0.5 * d); c.closePath(); c.fillStyle = lit(inks, colour, -0.35); c.fill(); c.stroke();
  const r = 0.2 * d, shade = c.createRadialGradient(-0.3 * r, -0.26 * d - 0.4 * r, 0, -0.3 * r, -0.26 * d - 0.4 * r, 1.6 * r);
  shade.addColorStop(0, lit(inks, colour, 0.7)); shade.addColorStop(0.4, colour); shade.addColorStop(1, lit(inks, colour, -0.7));
  c.beginPath(); c.arc(0, -0.26 * d, r, 0, 7); c.fillStyle = shade; c.fill(); c.stroke();
  if (Math.cos(turn) <= 0) beam();
}
/** Fill the ground: a little lighter in the middle, like air in a large room. */
function drawAir(c, w, h, depth, inks) {
  const away = blended(inks.ground, inks.dark ? inks.panel : inks.window, 0.75 * depth), air = c.createRadialGradient(w / 2, h / 2, 0, w / 2, h / 2, 0.62 * Math.max(w, h));
  air.addColorStop(0, inks.dark ? away : inks.ground); air.addColorStop(1, inks.dark ? inks.ground : away);
  c.fillStyle = air; c.fillRect(0, 0, w, h);
}
/** The lines of a glowing path: a waiting chain. */
const glowing = (a, b, colour, wide, width) => [[3.6, 0.1], [2.3, 0.16], [1, 1]].map(([times, alpha]) => ({ a, b, colour, width: width * times, wide: wide * times, from: alpha }));
/** Which of some labels remain if each that overlaps an earlier one is left out: boxes [left, top, right, bottom], the nearest first. */
function roomFor(boxes) {
  const taken = [];
  return boxes.map(([left, top, right, bottom]) => {
    const free = !taken.some(([l, t, r, b]) => left < r && l < right && top < b && t < bottom);
    if (free) taken.push([left, top, right, bottom]);
    return free;
  });
}
/** Let a mouse, a finger or two turn a camera: `get` and `set` the camera, `on` says whether it is for space. */
function turning(element, { on, get, set, home }) {
  const fingers = new Map();
  let moved = false, before = 0;
  const spread = () => { const [a, b] = [...fingers.values()]; return Math.hypot(a[0] - b[0], a[1] - b[1]); };
  element.addEventListener("pointerdown", (event) => {
    if (!on()) return;
    fingers.set(event.pointerId, [event.clientX, event.clientY]); moved = false; before = fingers.size === 2 ? spread() : 0;
    element.setPointerCapture(event.pointerId);
  });
  element.addEventListener("pointermove", (event) => {
    const last = fingers.get(event.pointerId);
    if (!last || !on()) return;
    const x = event.clientX - last[0], y = event.clientY - last[1];
    if (!moved && Math.hypot(x, y) < 3) return;
    moved = true; fingers.set(event.pointerId, [event.clientX, event.clientY]);
    if (fingers.size === 2) { const now = spread(); set(get().nearer(before > 0 ? now / before : 1)); before = now; }
    else if (event.shiftKey || event.buttons & 2) { const scale = get().reach / (0.5 * element.clientHeight / Math.tan((FIELD * Math.PI) / 360)); set(get().slide(-x * scale, y * scale)); }
    else set(get().orbit(0.0062 * x, -0.0062 * y));
  });
  for (const name of ["pointerup", "pointercancel"]) element.addEventListener(name, (event) => { fingers.delete(event.pointerId); before = 0; });
  element.addEventListener("wheel", (event) => { if (!on() || event.ctrlKey) return; event.preventDefault(); set(get().nearer(1.0015 ** -event.deltaY)); }, { passive: false });
  element.addEventListener("dblclick", () => { if (on()) home(); });
  element.addEventListener("contextmenu", (event) => { if (on()) event.preventDefault(); });
  /** Whether the last press turned the camera, so that it was no click. */
  return { get moved() { return moved; } };
}
/** A step for each key: to the right, up, ahead. */
const WALKS = { w: [0, 0, 1], s: [0, 0, -1], a: [-1, 0, 0], d: [1, 0, 0], e: [0, 1, 0], q: [0, -1, 0] };
