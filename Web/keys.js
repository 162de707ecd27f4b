// Single keys, for those who keep their hands on the keyboard. They can be turned off, where the keys are shown.
import { base } from "./api.js";
import { button, copy } from "./dom.js";
import { find } from "./finder.js";

const lines = ".mail .subject, .record .subject, .person summary, .fault button, .ticket .to, .entry .target";
const places = {
  h: "/", o: "/outbox", t: "/transactions", d: "/devices", p: "/phones", f: "/faults", l: "/flows", j: "/journal", w: "/worlds",
  c: "/time", s: "/snapshots", m: "/mint" };
const setting = "understudy.keys";
let isGoing = false;

export function startKeys() {
  const dialog = document.getElementById("keys");
  const box = document.getElementById("keys-on");
  box.checked = localStorage.getItem(setting) !== "off";
  box.addEventListener("change", () => localStorage.setItem(setting, box.checked ? "on" : "off"));
  document.querySelector(".foot p").append(" ", button("Keyboard shortcuts", () => dialog.showModal()));
  document.addEventListener("keydown", (event) => {
    if (event.key.toLowerCase() === "k" && (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey) {
      event.preventDefault();
      return find();
    }
    if (event.ctrlKey || event.metaKey || event.altKey || dialog.open) return;
    if (event.target.closest("input:not([type=checkbox]), select, textarea")) return leave(event);
    if (box.checked && press(event.key, dialog)) event.preventDefault();
  });
}

/** Escape leaves the search field; from that of a list, the arrow leads to the first line. */
function leave(event) {
  if (event.key === "Escape") event.target.blur();
  if (event.key !== "ArrowDown" || !event.target.matches("main input[type=search]")) return;
  event.preventDefault();
  step(1);
}

/** Does what the key stands for; false when it stands for nothing. */
function press(key, dialog) {
  const goes = isGoing && key in places;
  isGoing = !goes && key === "g";
  if (goes) location.assign(base + places[key]);
  else if (key === "j" || key === "ArrowDown" && isInList()) step(1);
  else if (key === "k" || key === "ArrowUp" && isInList()) step(-1);
  else if (key === "c") copyCode();
  else if (key === "p") document.getElementById("pause")?.click();
  else if (key === "/") find();
  else if (key === "s") document.querySelector("main input[type=search]")?.focus();
  else if (key === "?") dialog.showModal();
  else return false;
  return true;
}

/** Whether the focus is on a line of a list: elsewhere the arrow keys scroll. */
const isInList = () => document.activeElement.matches(lines);

/** Moves the focus to the next or the previous line, and shows it where another one is shown beside the list. */
function step(by) {
  const all = [...document.querySelectorAll(lines)].filter((node) => node.checkVisibility());
  const line = document.activeElement.closest("li");
  const here = all.findIndex((node) => line?.contains(node));
  const there = all[here < 0 ? 0 : here + by];
  there?.focus();
  there?.scrollIntoView({ block: "nearest" });
  if (there?.matches("a") && document.querySelector("main.split")) there.click();
}

/** Copies the code of the line that has the focus, or the first on the page. */
function copyCode() {
  const code = document.activeElement.closest("li")?.querySelector(".code") ?? document.querySelector(".code");
  if (code) copy(code);
}
