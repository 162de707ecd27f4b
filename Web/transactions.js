// Transactions: the list and the page of one, both live. The server draws them, so that QR codes need no script.
import { base } from "./api.js";
import { watchClock } from "./clock.js";
import { pieces, unsigned } from "./records.js";
import { follow, followList, rows, takeOverEmptiness } from "./redraw.js";

export function startTransactions(page) {
  const show = rows(page, "transactions", { tell, plain });
  const takeOver = part(page, "#enrolments");
  const refresh = followList(page, "transactions", (drawn, isChosen) => {
    show(drawn, isChosen);
    takeOver(drawn);
    takeOverEmptiness(drawn, "transactions-empty", "transactions-nothing");
  });
  countDown(page, refresh);
}

export function startTransaction(page) {
  const show = pieces(page, plain);
  const refresh = follow(() => page.dataset.address, show, { gone: () => location.assign(`${base}/transactions`) });
  countDown(page, refresh);
}

/** A function that draws a part anew which the server drew otherwise than before: what scripts added to it, and who is in it, stays else. */
function part(page, name) {
  const place = page.querySelector(name);
  let seen = place.innerHTML;
  return (drawn) => {
    const { innerHTML, childNodes } = drawn.querySelector(name);
    if (innerHTML === seen) return;
    seen = innerHTML;
    place.replaceChildren(...childNodes);
  };
}

function tell(row) {
  const [state, subject] = [".outcome", ".subject"].map((part) => row.querySelector(part).textContent);
  return `${subject}: ${state}`;
}

/** The time left is no part of a line's look, nor is what is new in a code each time. */
function plain(row) {
  row.querySelectorAll(".left").forEach((left) => left.replaceChildren());
  row.querySelectorAll(".symbol").forEach((symbol) => symbol.remove());
  for (const code of row.querySelectorAll(".otp .code")) code.textContent = unsigned(code.textContent);
  for (const text of row.querySelectorAll("[name='input.text']")) text.setAttribute("value", unsigned(text.value));
  return row;
}

/** Tells the time left of what is open, as the server writes it; asks anew when one is over. */
function countDown(page, refresh) {
  watchClock((now) => {
    let isOver = false;
    for (const node of page.querySelectorAll(".left")) {
      const seconds = Math.max(0, Math.ceil((Date.parse(node.dataset.until) - now) / 1000));
      const text = seconds < 600 ? `${seconds} s left` : `${Math.floor(seconds / 60)} min left`;
      if (node.textContent !== text) node.textContent = text;
      isOver ||= seconds === 0;
    }
    if (isOver) refresh();
  });
}
