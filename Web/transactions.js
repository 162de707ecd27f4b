// The list of transactions: live, and decided by a click. The server draws it, so that QR codes need no script.
import { base, call } from "./api.js";
import { watchClock } from "./clock.js";
import { attempt, decorate, keeper, say } from "./dom.js";
import { followList, takeOverEmptiness } from "./redraw.js";

export function startTransactions(page) {
  const show = keeper(page.querySelector("#transactions"));
  let isFirst = true;
  const refresh = followList(page, "transactions", (drawn) => {
    show([...drawn.querySelectorAll("#transactions > li")].map((node) => row(node, isFirst)));
    takeOverEmptiness(drawn, "transactions-empty", "transactions-nothing");
    isFirst = false;
  });

  page.querySelector("#transactions").addEventListener("submit", (event) => {
    event.preventDefault();
    const { id } = event.target.closest("li").dataset;
    const action = event.submitter.value;
    attempt(async () => {
      await call("POST", `transactions/${encodeURIComponent(id)}/${encodeURIComponent(action)}`);
      refresh();
    })();
  });
  watchClock((now) => {
    if (count(page, now)) refresh();
  });
}

/** One transaction for a keeper, as the server drew it; the time left and what is unfolded are no part of its look. */
function row(node, isFirst) {
  const bare = node.cloneNode(true);
  bare.querySelector("details").removeAttribute("open");
  bare.querySelectorAll(".left").forEach((left) => left.replaceChildren());
  return { key: node.dataset.id, look: bare.outerHTML, make: (old, settle) => made(node, old, settle, isFirst) };
}

function made(node, old, settle, isFirst) {
  document.adoptNode(node);
  decorate(node);
  const [state, subject] = [".outcome", ".subject"].map((part) => node.querySelector(part).textContent);
  if (!isFirst) say(`${subject}: ${state}`);
  if (!isFirst && !old) node.classList.add("fresh");
  if (!old) return node;
  node.querySelector("details").open = old.querySelector("details").open;
  // Who pressed a button that is gone now stays in the same line.
  if (old.contains(document.activeElement)) settle(() => node.querySelector("summary").focus());
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
