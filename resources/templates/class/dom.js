// Elements. Whatever came from somebody is set as text, never as HTML.

const SVG = "http://www.w3.org/2000/svg";

function made(node, given, children) {
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (name === "style") for (const [key, each] of Object.entries(value)) node.style.setProperty(key, each);
    else if (name === "value") node.value = value;
    else node.setAttribute(name, value === true ? "" : String(value));
  }
  node.append(...children.flat(Infinity).filter((each) => each !== null && each !== undefined && each !== false));
  return node;
}
/** Make an element: `el("p", {class: "hint"}, "text")`; children are elements and texts. */
export const el = (name, given = {}, ...children) => made(document.createElement(name), given, children);
/** Make an element of a picture. */
export const svg = (name, given = {}, ...children) => made(document.createElementNS(SVG, name), given, children);

/** Whether two values have the same contents; frames of the class are never changed, so the same one is quickly told. */
function same(a, b) {
  if (a === b) return true;
  if (!a || !b || typeof a !== "object" || typeof b !== "object") return false;
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => same(a[key], b[key]));
}
/** Fill a place if what it shows has changed; the element that had the focus keeps it. */
export function fill(place, key, build) {
  if (place.shown && same(place.shown.key, key)) return false;
  place.shown = { key };
  const had = place.contains(document.activeElement) ? document.activeElement.dataset.key : undefined;
  const scroller = () => place.querySelector(":scope > .scrolls") ?? place, scrolled = place.firstChild ? scroller().scrollTop : 0;
  place.replaceChildren(...[build()].flat(Infinity).filter(Boolean));
  if (scrolled) scroller().scrollTop = scrolled;
  if (had) place.querySelector(`[data-key="${CSS.escape(had)}"]`)?.focus({ preventScroll: true });
  return true;
}

/** Let a screen reader say something. */
export function say(words) {
  const place = document.getElementById("said");
  if (place.textContent !== words) place.textContent = words;
}

const ICONS = {
  arrow: "M4 12h15M13 6l6 6-6 6", bars: "M5 20V11M12 20V4M19 20v-6", bolt: "M13 3 5 14h6l-1 7 8-11h-6z", book: "M4 5c3-1 6-1 8 1 2-2 5-2 8-1v14c-3-1-6-1-8 1-2-2-5-2-8-1zM12 6v14",
  causality: "M3 6h18M3 12h18M3 18h18M6 6l5 6M13 12l5 6", tick: "M4.500 12.500l5 5 10-11", chip: "M6 6h12v12H6zM9.500 2v4M14.500 2v4M9.500 18v4M14.500 18v4M2 9.500h4M2 14.500h4M18 9.500h4M18 14.500h4",
  clock: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM12 7v5l3.500 2", cross: "M6 6l12 12M18 6 6 18", door: "M6 21V3h12v18M3 21h18M14.500 12v.5", eye: "M2 12s4-7 10-7 10 7 10 7-4 7-10 7-10-7-10-7zM12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6z",
  eyeoff: "M4 4l16 16M10 5.300A10 10 0 0 1 12 5c6 0 10 7 10 7a17 17 0 0 1-3 3.700M6 7.500C3.500 9.300 2 12 2 12s4 7 10 7a9.500 9.500 0 0 0 4-.9",
  envelope: "M3 6h18v13H3zM3 7l9 7 9-7", hand: "M7.500 12V6a1.500 1.500 0 0 1 3 0v5M10.500 10V4.500a1.500 1.500 0 0 1 3 0V11M13.500 11V6a1.500 1.500 0 0 1 3 0v7M16.500 9.500a1.500 1.500 0 0 1 3 0V15a6 6 0 0 1-6 6h-1.500c-2 0-3.500-.9-4.500-2.500L4.400 14.200a1.500 1.500 0 0 1 2.500-1.700L7.500 13.500",
  lock: "M6 11h12v9H6zM8.500 11V8a3.500 3.500 0 0 1 7 0v3", minus: "M5 12h14", moon: "M20 14.500A8 8 0 0 1 9.500 4a8 8 0 1 0 10.500 10.500z", more: "M5 12h.01M12 12h.01M19 12h.01", network: "M12 4a2 2 0 1 0 0 4 2 2 0 0 0 0-4zM5 16a2 2 0 1 0 0 4 2 2 0 0 0 0-4zM19 16a2 2 0 1 0 0 4 2 2 0 0 0 0-4zM11 8l-5 8M13 8l5 8M7 18h10",
  pause: "M8 5v14M16 5v14", play: "M7 4v16l13-8z", plus: "M12 5v14M5 12h14", save: "M5 3h11l3 3v15H5zM8 3v5h7V3M8 21v-7h8v7", screen: "M3 4h18v12H3zM12 16v3M8 21l4-2 4 2", stop: "M6 6h12v12H6z",
  swap: "M4 8h14M14 4l4 4-4 4M20 16H6M10 12l-4 4 4 4", toend: "M5 4v16l10-8zM19 4v16", tostart: "M19 4v16L9 12zM5 4v16", undo: "M9 6 4 11l5 5M4 11h10a5 5 0 0 1 0 10h-3", users: "M9 4.800a3.200 3.200 0 1 0 0 6.400 3.200 3.200 0 0 0 0-6.400zM3 20c0-4 2.700-6 6-6s6 2 6 6M16 5.200a3.200 3.200 0 0 1 0 6M18 14.600c2 .8 3 2.600 3 5.400",
  warning: "M12 4 2.500 20h19zM12 10v5M12 17.500v.01", wifi: "M3 9.500a13 13 0 0 1 18 0M6 13a8.500 8.500 0 0 1 12 0M9 16.400a4.200 4.200 0 0 1 6 0M12 19.600v.01", zoomin: "M10.500 4a6.500 6.500 0 1 0 0 13 6.500 6.500 0 0 0 0-13zM15.500 15.500 21 21M7.500 10.500h6M10.500 7.500v6",
  zoomout: "M10.500 4a6.500 6.500 0 1 0 0 13 6.500 6.500 0 0 0 0-13zM15.500 15.500 21 21M7.500 10.500h6",
};
const SOLID = new Set(["play", "stop"]);

/** Make an icon; it says nothing to a screen reader, the words beside it do. */
export const icon = (name, size = 20) => svg("svg", {
  class: "icon", width: size, height: size, viewBox: "0 0 24 24", fill: SOLID.has(name) ? "currentColor" : "none", stroke: "currentColor",
  "stroke-width": name === "more" ? 3.4 : name === "bars" ? 3 : 2, "stroke-linecap": "round", "stroke-linejoin": "round", "aria-hidden": "true",
}, svg("path", { d: ICONS[name] }));

/** The path of an icon, for a canvas. */
export const iconPath = (name) => ICONS[name];

/** Make a button with an icon, with words, or with both; an icon alone needs a label. */
export function button(words, press, { look = "", sign = "", key = "", label = "", pressed = null, disabled = false, size = 20, title = "" } = {}) {
  return el("button", {
    type: "button", class: look, "data-key": key || undefined, "aria-label": label || undefined, "aria-pressed": pressed === null ? undefined : String(pressed), title: title || (words ? undefined : label || undefined), disabled, onclick: press,
  }, sign && icon(sign, size), words && el("span", {}, words));
}
