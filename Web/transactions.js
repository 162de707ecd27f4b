// The list of transactions: live, and decided by a click. The server draws it, so that QR codes need no script.
import { base, call } from "./api.js";
import { paint, watchClock } from "./clock.js";
import { attempt, decorate, keeper, say } from "./dom.js";
import { Feed } from "./live.js";

/** Milliseconds between two looks at the server, however much happens. */
const pause = 200;

export function startTransactions(page) {
  const form = page.querySelector("form.filters");
  const show = keeper(page.querySelector("#transactions"));
  const chosen = () => new URLSearchParams([...new FormData(form)].filter(([, value]) => value));
  let isFirst = true;
  let isDrawing = false;
  let isStale = false;
  let typing;

  /** Draws the list anew, once for everything that happened since it was last drawn. */
  async function refresh() {
    isStale = true;
    if (isDrawing) return;
    isDrawing = true;
    while (isStale) {
      isStale = false;
      // A failure is left to the stream, which tells of a lost connection.
      await draw().catch(() => undefined);
      await new Promise((resume) => setTimeout(resume, pause));
    }
    isDrawing = false;
  }

  async function draw() {
    const answer = await fetch(`${base}/transactions?${chosen()}`, { headers: { Accept: "text/html" } });
    if (!answer.ok) return;
    const drawn = new DOMParser().parseFromString(await answer.text(), "text/html");
    show([...drawn.querySelectorAll("#transactions > li")].map((node) => row(node, isFirst)));
    for (const id of ["transactions-empty", "transactions-nothing"]) {
      document.getElementById(id).hidden = drawn.getElementById(id).hidden;
    }
    isFirst = false;
    paint();
  }

  page.addEventListener("submit", (event) => {
    event.preventDefault();
    if (event.target === form) return;
    const { id } = event.target.closest("li").dataset;
    const action = event.submitter.value;
    attempt(async () => {
      await call("POST", `transactions/${encodeURIComponent(id)}/${encodeURIComponent(action)}`);
      refresh();
    })();
  });
  form.querySelector("button").remove();
  form.addEventListener("input", () => {
    const query = chosen();
    history.replaceState(null, "", `${base}/transactions${query.size ? "?" + query : ""}`);
    clearTimeout(typing);
    typing = setTimeout(refresh, 150);
  });
  // Whatever changes a transaction leaves an entry, except time that passes.
  new Feed({ name: "journal", key: "entries", event: "entry", limit: 1, changed: refresh });
  watchClock((now) => {
    if (count(page, now)) refresh();
  });
}

/** One transaction for a keeper, as the server drew it; the time left and what is unfolded are no part of its look. */
function row(node, isFirst) {
  const bare = node.cloneNode(true);
  bare.querySelector("details").removeAttribute("open");
  bare.querySelectorAll(".left").forEach((left) => left.replaceChildren());
  return { key: node.dataset.id, look: bare.outerHTML, make: (old) => made(node, old, isFirst) };
}

function made(node, old, isFirst) {
  document.adoptNode(node);
  decorate(node);
  const [state, subject] = [".outcome", ".subject"].map((part) => node.querySelector(part).textContent);
  if (!isFirst) say(`${subject}: ${state}`);
  if (!isFirst && !old) node.classList.add("fresh");
  if (!old) return node;
  node.querySelector("details").open = old.querySelector("details").open;
  // Who pressed a button that is gone now stays in the same line.
  if (old.contains(document.activeElement)) requestAnimationFrame(() => node.querySelector("summary").focus());
  return node;
}

/** Tells the time left of every open transaction, as the server writes it; whether one is over. */
function count(page, now) {
  let isOver = false;
  for (const node of page.querySelectorAll(".left")) {
    const seconds = Math.max(0, Math.ceil((Date.parse(node.dataset.until) - now) / 1000));
    const text = seconds < 600 ? `${seconds} s left` : `${Math.floor(seconds / 60)} min left`;
    if (node.textContent !== text) node.textContent = text;
    isOver ||= seconds === 0;
  }
  return isOver;
}
