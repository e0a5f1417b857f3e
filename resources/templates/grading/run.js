// A short run that plays: the picture is uncovered from left to right, and the list says what happens.
// Every element with the class "run" is one; the keys belong to the one that was used last.
const calm = matchMedia("(prefers-reduced-motion: reduce)");
let current = null;

class Run {
  constructor(place) {
    this.place = place;
    this.picture = place.querySelector("svg.picture");
    this.heads = this.picture.dataset.heads.split(" ").map(Number);
    this.last = this.heads.length - 1;
    [this.later, this.seen] = this.picture.querySelectorAll("clipPath rect");
    this.width = this.picture.viewBox.baseVal.width;
    this.playhead = this.picture.querySelector(".playhead");
    this.changing = [...this.picture.querySelectorAll(".at")];
    this.steps = [...place.querySelectorAll(".steps li")];
    this.slider = place.querySelector("input");
    this.playing = 0;
    place.addEventListener("pointerdown", () => { current = this; });
    place.addEventListener("focusin", () => { current = this; });
    const press = (name, act) => place.querySelector(`[data-do=${name}]`).addEventListener("click", act);
    press("start", () => this.go(0));
    press("back", () => this.go(this.step - 1));
    press("play", () => this.toggle());
    press("forward", () => this.go(this.step + 1));
    press("end", () => this.go(this.last));
    this.slider.addEventListener("input", () => this.go(Number(this.slider.value)));
    this.steps.forEach((each, i) => each.querySelector("button").addEventListener("click", () => this.go(i + 1)));
    this.go(this.last);
  }
  go(step) {
    this.stop();
    this.step = Math.max(0, Math.min(this.last, step));
    this.show(this.heads[this.step]);
  }
  /** Show the moment at which the play head is at x; the step is the last one that is to its left. */
  show(x) {
    const whole = this.step === this.last && !this.playing;
    this.seen.setAttribute("width", whole ? this.width : x);
    this.later.setAttribute("x", x);
    this.later.setAttribute("width", whole ? 0 : this.width - x);
    this.playhead.setAttribute("transform", `translate(${x} 0)`);
    for (const each of this.changing) {
      const seen = this.step >= Number(each.dataset.at) && this.step < Number(each.dataset.until ?? 1e9);
      if (seen) each.removeAttribute("visibility"); else each.setAttribute("visibility", "hidden");
    }
    this.steps.forEach((each, i) => {
      each.classList.toggle("now", i + 1 === this.step);
      each.classList.toggle("later", i + 1 > this.step);
      each.firstElementChild.toggleAttribute("aria-current", i + 1 === this.step);
    });
    const list = this.steps[0]?.parentElement, at = this.steps[Math.max(this.step - 1, 0)];
    if (list && list.scrollHeight > list.clientHeight) list.scrollTop = at.offsetTop + at.offsetHeight - list.clientHeight * 0.7;
    this.slider.value = this.step;
    this.place.querySelector("output b").textContent = Number(this.place.dataset.first) + this.step;
  }
  toggle() { if (this.playing) this.stop(); else this.play(); }
  stop() {
    cancelAnimationFrame(this.playing);
    this.playing = 0;
    this.place.classList.remove("playing");
    if (this.step !== undefined) this.show(this.heads[this.step]);
  }
  play() {
    const first = this.step >= this.last ? 0 : this.step, pace = this.last > 20 ? 500 : 900, began = performance.now();
    this.place.classList.add("playing");
    const frame = (now) => {
      const part = Math.max(0, now - began) / pace + first, step = Math.min(this.last, Math.floor(part));
      const rest = calm.matches ? 0 : Math.min(1, (part - step) / 0.8);
      this.step = step;
      if (step >= this.last) { this.stop(); return; }
      this.playing = requestAnimationFrame(frame);
      this.show(this.heads[step] + (this.heads[step + 1] - this.heads[step]) * rest);
    };
    this.playing = requestAnimationFrame(frame);
  }
  key(name) {
    const act = { ArrowLeft: () => this.go(this.step - 1), ArrowRight: () => this.go(this.step + 1), " ": () => this.toggle(),
      Home: () => this.go(0), End: () => this.go(this.last) }[name];
    act?.();
    return act !== undefined;
  }
}

const runs = new Map();
/** Make the runs in a part of the page playable, and return the first. */
function playable(part) {
  const found = [...part.querySelectorAll(".run")].map((place) => {
    if (!runs.has(place)) runs.set(place, new Run(place));
    return runs.get(place);
  });
  return found[0] ?? null;
}
document.documentElement.classList.add("script");
