// The page of feedback: keys for the run, and runs of other failures when they are opened.
current = playable(document);
document.addEventListener("toggle", (event) => {
  const run = event.target.open ? runs.get(event.target.querySelector(".run")) : null;
  if (run) current = run;
}, true);
document.addEventListener("keydown", (event) => {
  const busy = event.altKey || event.ctrlKey || event.metaKey || event.target.closest("input");
  const pressed = event.key === " " && event.target.closest("button, summary, a");
  if (current && !busy && !pressed && current.key(event.key)) event.preventDefault();
});
if (location.hash === "#run") current?.play();
addEventListener("beforeprint", () => { for (const run of runs.values()) run.go(run.last); });
