// The list of transactions: live, and decided by a click. The server draws it, so that QR codes need no script.
import { base, call } from "./api.js";
import { watchClock } from "./clock.js";
import { attempt } from "./dom.js";
import { followList, rows, takeOverEmptiness } from "./redraw.js";

export function startTransactions(page) {
  const show = rows(page, "transactions", { tell, plain, adopt });
  const refresh = followList(page, "transactions", (drawn, isChosen) => {
    show(drawn, isChosen);
    takeOver(page, drawn, "#enrolments");
    takeOverEmptiness(drawn, "transactions-empty", "transactions-nothing");
  });

  page.querySelector("#transactions").addEventListener("submit", (event) => {
    // A phone that scans the code is a page of its own.
    if (event.target.matches(".scanners")) return;
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

/** Draws a part anew that looks otherwise than before. */
function takeOver(page, drawn, part) {
  const [before, after] = [page, drawn].map((root) => root.querySelector(part));
  if (before.innerHTML !== after.innerHTML) before.replaceChildren(...after.childNodes);
}

function tell(row) {
  const [state, subject] = [".outcome", ".subject"].map((part) => row.querySelector(part).textContent);
  return `${subject}: ${state}`;
}

/** The time left and what is unfolded are no part of a line's look. */
function plain(row) {
  row.querySelector("details").removeAttribute("open");
  row.querySelectorAll(".left").forEach((left) => left.replaceChildren());
  return row;
}

function adopt(row, old) {
  row.querySelector("details").open = old.querySelector("details").open;
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
