// The page of a class: the address says whether it is a phone, the projector or the host.

import { el, fill } from "./dom.js";
import { forget, known, remember, tidy, wish } from "./join.js";
import { changed, connect, position as received, room, watch } from "./room.js";
import { loadWords, tr } from "./words.js";

const place = document.getElementById("page"), path = location.pathname.replace(/\/+$/, "");
const role = path === "/screen" ? "screen" : path === "/host" ? "host" : "phone";
const secret = location.hash.length > 1 ? decodeURIComponent(location.hash.slice(1)) : null;

document.documentElement.dataset.role = role;

/** What each connection begins with. */
function opening() {
  const position = received(), run = room.welcome?.run ?? "";
  if (role !== "phone") return [{ kind: "join", wish: role, secret, position, run, name: "", code: "" }];
  const kept = room.welcome ? { secret: room.welcome.secret, name: room.welcome.name } : known(wish.code);
  if (kept && !wish.sent && (room.welcome || !wish.failed)) return [{ kind: "join", code: wish.code, name: kept.name, wish: wish.wish, secret: kept.secret, position, run }];
  if (wish.sent) return [{ kind: "join", code: wish.code, name: wish.name, wish: wish.wish, position: 0 }];
  return wish.code.length > 3 ? [{ kind: "knock", code: wish.code, name: tidy(wish.name) }] : [];
}

await loadWords();
const made = await { phone: () => import("./phone.js"), screen: () => import("./screen.js"), host: () => import("./host.js") }[role]();
const view = made[role](place);
let was = null;
watch(() => {
  if (role === "phone") {
    if (room.welcome && room.welcome.secret !== was) { was = room.welcome.secret; wish.failed = false; remember(wish.code, was, room.welcome.name); }
    if (!room.welcome && room.refused && known(wish.code) && !wish.sent) { forget(wish.code); wish.failed = true; }
    room.waiting = wish.sent || (!room.welcome && !wish.failed && known(wish.code) !== null);
  }
  if (room.welcome?.title) document.title = `${room.welcome.title} – LYDIAN`;
  view.update();
});
if (role !== "phone" && !secret) fill(place, "no secret", () => el("main", { class: "plain" }, el("h1", {}, tr("Open this page from LYDIAN, so that it knows who you are."))));
else { room.secret = secret; room.waiting = role !== "phone" || known(wish.code) !== null; connect(opening); }
changed();
/** For tests. */
window.lydian = { room, role };
