// The search in the header: what the page of the search finds, below the field while somebody types.
import { base } from "./api.js";
import { element } from "./dom.js";

/** Milliseconds of quiet after a key before the server is asked. */
const pause = 180;

const form = document.getElementById("finder");
const field = form?.querySelector("input");
const sheet = element("div", { class: "finder-sheet", id: "finder-sheet", hidden: true });
let shown;
let timer;
/** Ends the question to which nobody wants the answer any more. */
let asking;

export function startFinder() {
  if (!form) return;
  form.append(sheet);
  field.addEventListener("input", () => {
    clearTimeout(timer);
    asking?.abort();
    timer = setTimeout(show, pause);
  });
  field.addEventListener("focus", show);
  form.addEventListener("keydown", move);
  // Enter opens the first hit; where there is none, the page says so.
  form.addEventListener("submit", (event) => {
    const first = sheet.querySelector(".hit");
    if (event.target !== form || sheet.hidden || shown !== field.value || !first) return;
    event.preventDefault();
    first.click();
  });
  document.addEventListener("pointerdown", (event) => form.contains(event.target) || close());
  form.addEventListener("focusout", (event) => form.contains(event.relatedTarget) || event.relatedTarget === null || close());
}

/** Puts the cursor into the field. */
export function find() {
  field?.focus();
  field?.select();
}

async function show() {
  const words = field.value;
  if (shown === words) return open();
  asking?.abort();
  asking = new AbortController();
  const { signal } = asking;
  // A failure is left to the streams, which tell of a lost connection.
  const answer = await fetch(`${base}/search?q=${encodeURIComponent(words)}`, { signal, headers: { Accept: "text/html" } }).catch(() => undefined);
  if (!answer?.ok || words !== field.value) return;
  const text = await answer.text().catch(() => undefined);
  if (text === undefined || words !== field.value) return;
  const page = new DOMParser().parseFromString(text, "text/html");
  const found = page.getElementById("found");
  const nothing = page.getElementById("search-nothing");
  sheet.replaceChildren(...[...(found?.children ?? [])].map((node) => document.importNode(node, true)));
  if (!sheet.children.length && nothing) sheet.append(element("p", { class: "about" }, nothing.querySelector("h2").textContent));
  shown = words;
  open();
}

function open() {
  sheet.hidden = !form.contains(document.activeElement);
}

function close() {
  sheet.hidden = true;
  // What it found may be another thing by the time somebody looks again.
  shown = undefined;
}

/** Arrow keys go through the hits, Escape leaves. */
function move(event) {
  if (event.key === "Escape") {
    close();
    document.activeElement.blur();
    return;
  }
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (!step || sheet.hidden) return;
  event.preventDefault();
  const hits = [field, ...sheet.querySelectorAll(".hit")];
  const there = hits[hits.indexOf(document.activeElement) + step];
  there?.focus();
}
