// Compare: a recording may be dropped anywhere on its form; one that is being played is watched until it has ended.
import { call } from "./api.js";

export function startCompare(page) {
  const form = page.querySelector("#compare-form");
  if (form) takeDrops(form);
  if (page.dataset.state === "running") watch(page);
}

function takeDrops(form) {
  const field = form.elements.recording;
  form.addEventListener("dragover", (event) => event.preventDefault());
  form.addEventListener("drop", (event) => {
    event.preventDefault();
    if (event.dataTransfer.files.length > 0) field.files = event.dataTransfer.files;
  });
}

async function watch(page) {
  const [words, bar] = [page.querySelector("#progress"), page.querySelector("progress")];
  for (;;) {
    const { state, done, total } = await call("GET", "comparison", { query: { wait: 1 } });
    if (state !== "running") return location.reload();
    if (total === 0) continue;
    words.textContent = `${done} of ${total} requests are played.`;
    [bar.max, bar.value] = [total, done];
  }
}
