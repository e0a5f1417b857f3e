// The lecturer's page: sorting, filters, groups of hand-ins that fail alike, pairs side by side.
const data = JSON.parse(document.getElementById("data").textContent);
const $ = (query, part = document) => part.querySelector(query), all = (query, part = document) => [...part.querySelectorAll(query)];
const body = $("#hand-ins tbody"), scroller = $("#hand-ins .body"), find = $("#find"), chips = $("#chips");
const rows = all("tr[data-row]", body).map((row) => ({ row, ...data.handIns[Number(row.dataset.row)] }));
const plain = (text) => text.normalize("NFKD").replace(/[\u0300-\u036f]/g, "").toLowerCase();
rows.forEach((each) => { each.plain = plain(each.name + " " + each.id); });
const titles = new Map(data.checks.map((check) => [check.id, check.title]));
const binOf = (points) => Math.min(Math.max(1, Math.ceil(data.most / data.bin)) - 1, Math.floor(points / data.bin + 1e-9));

// ------------------------------------------------------------------ filters
// Filters by kind; "marked" is the group whose rows are marked, or null.
const filters = { bin: null, lost: null, only: null, group: null };
let marked = null, currentRow = null, shown = rows;

const COMPARE = { "<": (a, b) => a < b, "<=": (a, b) => a <= b, ">": (a, b) => a > b, ">=": (a, b) => a >= b, "=": (a, b) => Math.abs(a - b) < 1e-9, "!=": (a, b) => Math.abs(a - b) >= 1e-9 };
/** Read what is typed: names and conditions with "and" or commas between; null if a condition is not understood. */
function asked(text) {
  const tests = [];
  for (const part of text.split(/,|\s+and\s+/).map((each) => each.trim()).filter(Boolean)) {
    const found = /^([\p{L}\p{N} _-]*?)\s*(<=|>=|!=|<|>|=)\s*(-?\d*\.?\d+)$/u.exec(part);
    if (found) {
      const name = plain(found[1]), sign = COMPARE[found[2]], number = Number(found[3]);
      const check = data.checks.find((each) => plain(each.id) === name) ?? data.checks.find((each) => name && plain(each.title).includes(name));
      if (["p", "points", ""].includes(name)) tests.push((each) => sign(each.points, number));
      else if (check) tests.push((each) => each.checks[check.id] !== undefined && sign(each.checks[check.id], number));
      else return null;
    } else if (/[<>=]/.test(part)) return null;
    else if (part === "late") tests.push((each) => each.late || each.plain.includes("late"));
    else { const words = plain(part).split(/\s+/); tests.push((each) => words.every((word) => each.plain.includes(word))); }
  }
  return tests;
}
const nobody = document.createElement("tr"), nothing = document.createElement("td");
nothing.className = "none";
nothing.colSpan = data.checks.length + 4;
nothing.textContent = "No hand-in fits. Esc shows all again.";
nobody.append(nothing);
function filter() {
  const tests = asked(find.value), group = filters.group === null ? null : new Set(data.groups[filters.group].ids);
  find.parentElement.classList.toggle("bad", tests === null);
  $("#fault").textContent = tests === null ? "not understood: write a name, p < 10, or a check such as " + (data.checks[0]?.id ?? "safety") + " = 0" : "";
  const fits = (each) => (filters.bin === null || binOf(each.points) === filters.bin) && (filters.lost === null || each.lost.includes(filters.lost))
    && (filters.only === null || (filters.only === "full" ? each.points >= data.most : !each.ran)) && (!group || group.has(each.id)) && (tests ?? []).every((test) => test(each));
  shown = rows.filter(fits);
  if (rows.length) body.replaceChildren(...(shown.length ? shown.map((each) => each.row) : [nobody])); // quicker than hiding rows
  const count = new Intl.NumberFormat("en-GB").format;
  $("#shown").textContent = `${count(shown.length)} of ${count(rows.length)} shown`;
  if (currentRow && !shown.includes(currentRow)) choose(null);
  const pressed = (query, name, read) => all(query).forEach((each) => {
    const state = String(read(each) === filters[name]);
    if (each.getAttribute("aria-pressed") !== state) each.setAttribute("aria-pressed", state);
  });
  pressed(".bin", "bin", (each) => Number(each.dataset.bin));
  pressed(".loss", "lost", (each) => each.dataset.lost);
  pressed("button.number", "only", (each) => each.dataset.only);
  chips.parentElement.classList.toggle("filtered", Object.values(filters).some((value) => value !== null));
  chips.replaceChildren(...Object.entries(filters).filter(([, value]) => value !== null).map(([name, value]) => chip(name, value)));
}
function chip(name, value) {
  const low = value * data.bin, high = Math.min(low + data.bin, data.most);
  const text = { bin: () => `${low} to ${high} points`, lost: () => `lost: ${titles.get(value)}`, only: () => (value === "full" ? "full marks" : "did not run"), group: () => data.groups[value].sentence }[name]();
  const button = document.createElement("button"), span = document.createElement("span"), cross = $(".close svg").cloneNode(true);
  button.type = "button"; button.title = `${text} (show all again)`; span.textContent = text;
  cross.setAttribute("width", "14"); cross.setAttribute("height", "14");
  button.append(span, cross);
  button.addEventListener("click", () => { set(name, value); });
  return button;
}
function set(name, value) { filters[name] = filters[name] === value ? null : value; filter(); }
all(".bin").forEach((each) => each.addEventListener("click", () => set("bin", Number(each.dataset.bin))));
all(".loss").forEach((each) => each.addEventListener("click", () => set("lost", each.dataset.lost)));
all("button.number").forEach((each) => each.addEventListener("click", () => set("only", each.dataset.only)));
find.addEventListener("input", filter);

// ------------------------------------------------------------------ groups
const cards = all(".group");
function mark(number) {
  marked = number;
  const ids = new Set(number === null ? [] : data.groups[number].ids);
  rows.forEach((each) => each.row.classList.toggle("hot", ids.has(each.id)));
  cards.forEach((card, i) => card.setAttribute("aria-pressed", String(i === number)));
  told();
}
cards.forEach((card, i) => {
  card.addEventListener("click", (event) => { if (event.detail) mark(marked === i ? null : i); else { mark(i); set("group", i); } });
  card.addEventListener("dblclick", () => { mark(i); filters.group = null; set("group", i); });
});

// ------------------------------------------------------------------ order
const order = { name: "name", down: false };
function told() {
  const by = order.name === "name" ? "name" : order.name === "points" ? "points" : titles.get(order.name);
  $("#order").textContent = `sorted by ${by}` + (marked === null ? "" : "; marked: those that fail like the chosen group");
}
function sort(name) {
  order.down = order.name === name && !order.down;
  order.name = name;
  const value = (each) => (name === "points" ? each.points : each.checks[name] ?? -1);
  const byName = (a, b) => a.name.localeCompare(b.name, "en");
  rows.sort((a, b) => (order.down ? -1 : 1) * (name === "name" ? byName(a, b) : value(a) - value(b)) || byName(a, b));
  all("th[aria-sort]").forEach((th) => th.setAttribute("aria-sort", $("button", th).dataset.sort !== name ? "none" : order.down ? "descending" : "ascending"));
  filter();
  told();
}
all("th button").forEach((each) => each.addEventListener("click", () => sort(each.dataset.sort)));

// ------------------------------------------------------------------ rows and keys
function choose(each) {
  currentRow?.row.classList.remove("current");
  currentRow = each;
  if (!each) return;
  each.row.classList.add("current");
  const row = each.row.getBoundingClientRect(), view = scroller.getBoundingClientRect(), head = $("thead").offsetHeight;
  if (row.top < view.top + head) scroller.scrollTop -= view.top + head - row.top;
  else if (row.bottom > view.bottom) scroller.scrollTop += row.bottom - view.bottom;
}
rows.forEach((each) => {
  each.row.addEventListener("click", () => choose(each));
  each.row.addEventListener("dblclick", () => { location.href = each.page; });
});
addEventListener("keydown", (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey) return;
  if ($("dialog[open]")) {
    const other = event.target.closest("input, .list") || (event.key === " " && event.target.closest("button"));
    if (current && !other && current.key(event.key)) event.preventDefault();
    return;
  }
  const place = shown.indexOf(currentRow), elsewhere = event.target.closest("button, a, summary, details");
  const go = (to) => { if (shown.length) choose(shown[Math.max(0, Math.min(shown.length - 1, to))]); event.preventDefault(); };
  if (event.key === "ArrowDown") go(place + 1);
  else if (event.key === "ArrowUp") go(place < 0 ? 0 : place - 1);
  else if (event.key === "PageDown") go(place + 15);
  else if (event.key === "PageUp") go(place - 15);
  else if (event.key === "Enter" && currentRow && !elsewhere) location.href = currentRow.page + (event.shiftKey && currentRow.run ? "#run" : "");
  else if (event.key === "/" && event.target !== find) { find.focus(); event.preventDefault(); }
  else if (event.key === "Escape") { find.value = ""; Object.keys(filters).forEach((name) => { filters[name] = null; }); filter(); all("details.menu[open]").forEach((each) => { each.open = false; }); }
});
document.addEventListener("click", (event) => all("details.menu[open]").forEach((each) => { if (!each.contains(event.target)) each.open = false; }));

// ------------------------------------------------------------------ a run for the class, and pairs side by side
const dialog = $("#class"), content = $(".content", dialog);
$(".close", dialog).addEventListener("click", () => dialog.close());
dialog.addEventListener("close", () => {
  if (dialog.open) return; // opened again in the meantime
  current?.stop();
  current = null;
  runs.clear();
  content.replaceChildren();
});
$("#show-class")?.addEventListener("click", () => {
  const template = $(`#run-${marked ?? 0}`) ?? $("template[id^=run-]");
  content.replaceChildren(template.content.cloneNode(true));
  dialog.showModal();
  current = playable(content);
  $("[data-do=play]", content).focus();
  current?.go(0);
});
$("#compare")?.addEventListener("click", () => {
  const list = document.createElement("div"), pair = document.createElement("div"), both = document.createElement("div");
  list.className = "list"; pair.className = "pair"; both.className = "both"; pair.tabIndex = 0;
  const buttons = all("template.pair").map((template) => {
    const button = document.createElement("button"), names = document.createElement("span"), share = document.createElement("b");
    button.type = "button"; names.textContent = `${template.dataset.a} and ${template.dataset.b}`; share.textContent = `${template.dataset.share} %`;
    button.append(names, share);
    button.addEventListener("click", () => {
      buttons.forEach((each) => each.setAttribute("aria-pressed", String(each === button)));
      const about = document.createElement("p");
      about.textContent = `${template.dataset.share} % alike without the skeleton, whose lines are pale. Short programs from one skeleton are alike; it proves nothing.`;
      pair.replaceChildren(about, template.content.cloneNode(true));
      pair.scrollTop = 0;
    });
    return button;
  });
  list.append(...buttons);
  both.append(list, pair);
  content.replaceChildren(both);
  dialog.showModal();
  buttons[0].click();
});

mark(cards.length ? 0 : null);
filter();
