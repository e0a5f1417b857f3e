// Joining: the code, a name that is checked as it is typed, a seat or a place to watch.

import { button, el, fill, icon, svg } from "./dom.js";
import { shapePath } from "./draw.js";
import { again, changed, room } from "./room.js";
import { here, tr, trn } from "./words.js";

/** The longest name, in letters. */
export const MOST = 16;
const KEPT = "lydian class";

/** What this phone has been given in earlier classes: code -> secret and name. */
function kept() { try { return JSON.parse(localStorage.getItem(KEPT) ?? "{}") ?? {}; } catch { return {}; } }
export function remember(code, secret, name) {
  try {
    const all = Object.entries({ ...kept(), [code]: { secret, name, at: Date.now() } }).sort((a, b) => b[1].at - a[1].at).slice(0, 8);
    localStorage.setItem(KEPT, JSON.stringify(Object.fromEntries(all)));
  } catch { /* the phone is somebody else after a reload, that is all */ }
}
export function forget(code) { try { const all = kept(); delete all[code]; localStorage.setItem(KEPT, JSON.stringify(all)); } catch { /* nothing was kept */ } }
export const known = (code) => kept()[code] ?? null;

const asked = new URLSearchParams(location.search);
export const wish = { code: (asked.get("code") ?? "").trim().toLowerCase(), name: "", wish: asked.get("wish") === "watch" ? "watch" : "seat", sent: false };

/** A name without anything that is not shown, at most as long as allowed. */
export const tidy = (name) => [...name.normalize("NFC").replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cs}]/gu, "").replace(/\s+/g, " ").trim()].slice(0, MOST).join("");

const mark = () => svg("svg", { width: 34, height: 34, viewBox: "0 0 34 34", "aria-hidden": "true" },
  svg("path", { d: "M13 11h8M11 14l4 7M24 15l-4 7", stroke: "var(--link-base)", "stroke-width": 1.6 }),
  [["circle", 8, 9, 0], ["hexagon", 26, 10, 1], ["diamond", 17, 26, 3]].map(([shape, x, y, slot]) => svg("path", { d: shapePath(shape, 12), transform: `translate(${x} ${y})`, fill: `var(--state-${slot}-fill)`, stroke: `var(--state-${slot}-outline)`, "stroke-width": 1.2 })));
export const brand = () => el("div", { class: "brand" }, mark(), el("span", {}, "LYDIAN"));

/** The form for joining. */
export function joinView() {
  let timer = 0;
  const title = el("h1", {}), about = el("p", { class: "lead" }), codeSign = el("span", { class: "sign" }), hint = el("p", { class: "hint", id: "name-hint" }), wrong = el("p", { class: "wrong", role: "alert" });
  const code = el("input", { id: "code", name: "code", class: "figures", value: wish.code, autocomplete: "off", autocapitalize: "none", spellcheck: "false", inputmode: "text", maxlength: 40, required: true, "aria-describedby": "code-hint" });
  const name = el("input", { id: "name", name: "name", value: wish.name, autocomplete: "nickname", autocapitalize: "words", spellcheck: "false", maxlength: 64, required: true, enterkeyhint: "go", "aria-describedby": "name-hint" });
  const seat = el("input", { type: "radio", name: "wish", value: "seat", class: "unseen", checked: wish.wish === "seat" }), watch = el("input", { type: "radio", name: "wish", value: "watch", class: "unseen", checked: wish.wish === "watch" });
  const card = (input, words, about) => el("label", { class: "card slim" }, input, el("span", {}, el("b", {}, words), el("small", {}, about)));
  const go = el("button", { type: "submit", class: "big" }, el("span", {}, tr("Join")));
  const seats = card(seat, tr("Take a seat"), tr("be a process"));
  const form = el("form", { class: "join", novalidate: true, onsubmit: submit },
    brand(), el("div", {}, title, about),
    el("div", { class: "field" }, el("label", { for: "code" }, tr("Code")), el("div", { class: "box" }, code, codeSign), el("span", { id: "code-hint", class: "unseen" }, tr("The code is shown on the screen of the class."))),
    el("div", { class: "field" }, el("label", { for: "name" }, tr("What may we call you?")), el("div", { class: "box" }, name), hint),
    el("fieldset", {}, el("legend", {}, tr("And then")), el("div", { class: "pair" }, seats, card(watch, tr("Watch"), tr("and predict")))),
    el("div", { class: "space" }), wrong, el("div", { class: "last" }, go, el("p", { class: "hint centred" }, tr("Nothing is installed on your phone."))));
  function knock(wait = 300) { clearTimeout(timer); timer = setTimeout(() => { if (wish.code.length > 3 && !wish.sent && !room.welcome) again(); }, wait); }
  code.addEventListener("input", () => { wish.code = code.value.trim().toLowerCase(); room.doorway = null; room.refused = ""; knock(900); changed(); });
  name.addEventListener("input", () => { wish.name = name.value; room.refused = ""; knock(); changed(); });
  for (const each of [seat, watch]) each.addEventListener("change", () => { wish.wish = watch.checked ? "watch" : "seat"; changed(); });
  function submit(event) {
    event.preventDefault();
    wish.name = tidy(name.value);
    const bad = !wish.code ? code : !wish.name ? name : null;
    if (bad) { room.refused = bad === code ? tr("Enter the code that the screen shows.") : tr("Enter a name, so that the class knows what to call you."); bad.focus(); changed(); return; }
    wish.sent = true; room.refused = "";
    again(); changed();
  }
  function update() {
    const { doorway, refused, connection } = room, found = doorway?.known ? doorway : null, long = [...wish.name.trim()].length > MOST;
    title.textContent = found?.title || tr("Join the class");
    about.textContent = found ? `${here(found.people)}; ${found.free ? trn("{count} seat is free", "{count} seats are free", found.free) : tr("all seats are taken")}` : tr("Nothing to install; enter the code on the screen.");
    fill(codeSign, found ? 1 : 0, () => (found ? el("span", { class: "holds", role: "img", "aria-label": tr("The code is right") }, icon("tick", 24)) : null));
    code.toggleAttribute("aria-invalid", doorway?.known === false);
    const full = found && !found.free;
    seat.disabled = !!full; seats.classList.toggle("off", !!full);
    if (full && seat.checked) { watch.checked = true; wish.wish = "watch"; }
    const taken = found?.name && tidy(wish.name) && found.name !== tidy(wish.name);
    hint.textContent = long ? tr("Only the first {count} letters are kept.", { count: MOST }) : found?.reason || (taken ? tr("That name is taken; you will be {name}.", { name: found.name }) : tr("Up to {count} letters. Only the class sees it.", { count: MOST }));
    hint.classList.toggle("warn", !!(long || found?.reason || taken));
    wrong.textContent = refused || (found && !found.door ? tr("The door is closed; ask the host to let you in.") : connection === "lost" ? tr("The host cannot be reached; trying again…") : "");
    if (refused) wish.sent = false;
    go.disabled = wish.sent;
    go.firstChild.textContent = wish.sent ? tr("Joining…") : tr("Join");
  }
  return { node: form, update, focus: () => (wish.code ? name : code).focus(), knock };
}
export { button };
