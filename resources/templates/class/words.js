// The texts of the page, in the language of the host's program.

let table = { language: "en", comma: ",", texts: {} };

/** Fetch the translations; without them, the page is in English. */
export async function loadWords() {
  try {
    const answer = await fetch("/class/words.json");
    if (answer.ok) table = await answer.json();
  } catch { /* the English texts are in their places */ }
  document.documentElement.lang = table.language;
}

const filled = (text, values) => text.replace(/\{(\w+)(?::,)?\}/g, (all, name) => (name in values ? String(values[name]) : all));

/** Return a text in the language of the page, with values for its places in braces. */
export const tr = (text, values = {}) => filled(table.texts[text] ?? text, values);

/** Return the text for a number of things. */
export function trn(one, many, count, values = {}) {
  const [forms, places] = table.texts[one] ?? [[one, many], null];
  const place = places ? Number(places[count < 200 ? count : 100 + (count % 100)] ?? 0) : count === 1 ? 0 : 1;
  return filled(forms[place] ?? many, { count, ...values });
}

/** Return how many people are here. */
export const here = (count) => (count ? trn("{count} person is here", "{count} people are here", count) : tr("nobody is here yet"));

/** Return some words as a list: "1, 2 and 3". */
export function listed(words) {
  if (words.length < 2) return words.join("");
  return tr("{first} and {last}", { first: words.slice(0, -1).join(", "), last: words.at(-1) });
}

/** Return seconds as minutes and seconds: "0:23". */
export function minutes(seconds) {
  const whole = Math.max(0, Math.ceil(seconds));
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}
