// People and devices: the list, live, and the page of one of them, live and with forms that are sent without leaving it.
import { base, call } from "./api.js";
import { attempt, decorate, keeper, say } from "./dom.js";
import { follow, followList, rows, takeOverEmptiness } from "./redraw.js";

const prefix = "input.";

export function startRecords(page) {
  const show = rows(page, "records", { tell, plain, adopt });
  followList(page, "devices", (drawn, isChosen) => {
    show(drawn, isChosen);
    takeOverEmptiness(drawn, "records-empty", "records-nothing");
    for (const name of ["platform", "kind", "state"]) takeOverOptions(page, drawn, name);
  });
}

/** Of somebody who was there, what is new or another state; else the name. */
function tell(row, old) {
  if (!old) return row.querySelector("summary b").textContent;
  const states = (person) => [...person.querySelectorAll(".record")].map((line) =>
    [".subject", ".outcome"].map((part) => line.querySelector(part).textContent).join(": "));
  const known = states(old);
  return states(row).find((state) => !known.includes(state));
}

/** Whether somebody opened a person is no part of the look. */
function plain(row) {
  row.querySelector("details").removeAttribute("open");
  return row;
}

function adopt(row, old) {
  row.querySelector("details").open ||= old.querySelector("details").open;
}

/** New kinds and states become choices; what is chosen stays. */
function takeOverOptions(page, drawn, name) {
  const [own, other] = [page, drawn].map((root) => root.querySelector(`.filters select[name=${name}]`));
  if (own === document.activeElement || own.innerHTML === other.innerHTML) return;
  const { value } = own;
  own.replaceChildren(...other.children);
  own.value = value;
}

export function startRecord(page) {
  const { platform, id } = page.dataset;
  const path = `${encodeURIComponent(platform)}/${encodeURIComponent(id)}`;
  const show = pieces(page);
  const refresh = follow(() => `${base}/devices/${path}`, (drawn) => {
    page.querySelector("h1").textContent = drawn.querySelector("main h1").textContent;
    show(drawn);
  }, { gone: () => location.reload() });

  page.addEventListener("submit", (event) => {
    const form = event.target;
    // A phone that scans the code is a page of its own.
    if (form.matches(".scanners")) return;
    event.preventDefault();
    const { value, textContent } = event.submitter;
    const question = `${textContent}: ${page.querySelector("h1").textContent}? This cannot be undone.`;
    if ("final" in form.dataset && !confirm(question)) return;
    attempt(async () => {
      const left = await call("POST", `records/${path}/${encodeURIComponent(value)}`, { body: { inputs: inputs(form) } });
      page.querySelector(".refusal")?.remove();
      if (!left) return location.assign(`${base}/devices`);
      form.reset();
      say(`${textContent}: done`);
      refresh();
    })();
  });
}

/** What is typed into a form, by the names of its inputs. */
function inputs(form) {
  const typed = [...new FormData(form)].filter(([name, value]) => name.startsWith(prefix) && value);
  return Object.fromEntries(typed.map(([name, value]) => [name.slice(prefix.length), value.replaceAll("\r\n", "\n")]));
}

/**
 * A function that shows the pieces of the page as the server drew them in a document, those that look otherwise than before; `plain(piece)` takes off a copy
 * what changes by time alone. What is typed into a form stays when the form is drawn anew, and so does the focus.
 */
export function pieces(page, plain = (piece) => piece) {
  // What was refused stands in its field again, and nowhere else: the server draws the page without it.
  const refused = new Set(page.querySelector(".refusal") ? page.querySelectorAll("#pieces form") : []);
  const show = keeper(page.querySelector("#pieces"), {
    key: (piece) => piece.dataset.piece,
    look: (piece) => plain(piece.cloneNode(true)).outerHTML,
    make(piece, old, settle) {
      document.adoptNode(piece);
      decorate(piece);
      if (old) carry(old, piece, settle, refused);
      if (old) unfold(old, piece);
      if (old && piece.dataset.piece === "standing") say(piece.querySelector(".outcome").textContent);
      return piece;
    },
  });
  return (drawn) => show(drawn.querySelector("#pieces").children);
}

/**
 * A code without its last line, where it has several: a code for an app without a network ends with a signature, which is another one each time that it is
 * made, and what it signs says whether the code is another.
 */
export function unsigned(code) {
  const lines = code.trim().split("\n");
  return (lines.length > 1 ? lines.slice(0, -1) : lines).join("\n");
}

/** What somebody has opened stays open. */
function unfold(before, node) {
  const folds = (piece) => [piece, ...piece.querySelectorAll("details")].filter((fold) => fold.matches("details"));
  const open = folds(before).filter((fold) => fold.open).map((fold) => fold.firstElementChild.textContent);
  for (const fold of folds(node)) fold.open ||= open.includes(fold.firstElementChild.textContent);
}

function carry(before, node, settle, refused) {
  for (const form of before.querySelectorAll("form")) {
    const heir = [...node.querySelectorAll("form")].find((one) => one.ariaLabel === form.ariaLabel);
    for (const field of form.elements) {
      const place = heir && [...heir.elements].find((one) => one.name === field.name && one.type === field.type);
      if (place && field.matches(typed) && (isTyped(field) || refused.has(form))) place.value = field.value;
      if (place && field === document.activeElement) settle(handOver(field, place));
    }
  }
}

/** Fields that somebody types into or chooses from. */
const typed = "input:not([type=hidden], [type=checkbox], [type=radio], [type=file]), textarea, select";

/** Whether somebody changed a field since it was drawn: what only stood there gives way to what stands there now. */
function isTyped(field) {
  if (field.options) return [...field.options].some((option) => option.selected !== option.defaultSelected);
  return field.value !== field.defaultValue;
}

/** Gives focus and caret to the heir of a field, once it is in the page. */
function handOver({ selectionStart, selectionEnd, selectionDirection }, heir) {
  return () => {
    heir.focus();
    // Buttons and choices have no caret.
    if (typeof selectionStart === "number") heir.setSelectionRange(selectionStart, selectionEnd, selectionDirection);
  };
}
