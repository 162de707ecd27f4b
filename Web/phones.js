// Phones: the list and the page of one, both live. Their forms are sent as they are; a pad of digits stands below each field for a PIN.
import { base } from "./api.js";
import { button, element, keeper } from "./dom.js";
import { piece } from "./records.js";
import { follow, journal, outbox } from "./redraw.js";

export function startPhones(page) {
  start(page, `${base}/phones`);
}

export function startPhone(page) {
  start(page, `${base}/phones/${encodeURIComponent(page.dataset.name)}`);
}

function start(page, address) {
  const show = keeper(page.querySelector("#pieces"));
  addPads(page);
  follow(() => address, (drawn) => {
    const open = [...page.querySelectorAll("details[open] > summary")].map((node) => node.textContent);
    show([...drawn.querySelectorAll("#pieces > *")].map((node) => piece(node, page)));
    for (const node of page.querySelectorAll("details > summary")) node.parentElement.open ||= open.includes(node.textContent);
    addPads(page);
  }, { gone: () => location.assign(`${base}/phones`), feeds: [journal, outbox] });
}

/** Digits to press, for those who hold the phone in their hand; the keyboard types into the field itself. */
function addPads(page) {
  for (const field of page.querySelectorAll(".handset input[inputmode=numeric]")) {
    const form = field.closest("form");
    if (form.querySelector(".pad")) continue;
    const type = (digit) => () => (field.value += digit);
    const keys = [..."1234567890"].map((digit) => button(digit, type(digit)));
    keys.push(button("\u232b", () => (field.value = field.value.slice(0, -1)), { "aria-label": "Delete the last digit" }));
    field.closest("label").after(element("div", { class: "pad", role: "group", "aria-label": "Digits" }, ...keys));
  }
}
