// The world's clock: what it says now, and every time on the page told by it.
import { call } from "./api.js";
import { element } from "./dom.js";

// When the answer came, by this machine's own clock; the world's time then; and whether it stands still.
// Until it came, this machine's time.
let reading = { at: performance.now(), now: Date.now(), frozen: false };
let isKnown = false;
const watchers = new Set();

/** The world's time in milliseconds since 1970. */
export function worldNow() {
  return reading.frozen ? reading.now : reading.now + performance.now() - reading.at;
}

/** Takes over `{"now", "frozen"}`, the answer of every clock call. */
export function setClock({ now, frozen, offsetSeconds, shift }) {
  reading = { at: performance.now(), now: Date.parse(now), frozen };
  isKnown = true;
  // What a page brought along says nothing of the real time.
  if (offsetSeconds !== undefined) showShift(shift);
  paint();
}

/** The badge that says how far the clock is from the real time, in the words of the server; none for the real time. */
function showShift(shift) {
  const badge = document.getElementById("shift");
  if (!badge) return;
  badge.hidden = shift === undefined;
  badge.querySelector("b").textContent = shift ?? "";
}

/** Asks for the clock again when something happened at a time that ours has not reached. */
export function noticeTime(iso) {
  if (Math.abs(Date.parse(iso) - worldNow()) > 2000) refresh();
}

/** Calls `watcher(now, frozen)` every second and after every change, from when the world's time is known. */
export function watchClock(watcher) {
  watchers.add(watcher);
  if (isKnown) watcher(worldNow(), reading.frozen);
}

export function startClock() {
  const face = element("span", { class: "clock", title: "The world's clock, UTC" });
  document.getElementById("status").prepend(face);
  watchClock((now, frozen) => {
    const text = new Date(now).toISOString().slice(11, 19) + (frozen ? " frozen" : "");
    if (face.textContent !== text) face.textContent = text;
  });
  refresh();
  setInterval(paint, 1000);
  setInterval(refresh, 15000);
}

/** Reads the world's clock; a failure is left to the streams, which tell of a lost connection. */
async function refresh() {
  if (document.hidden) return;
  const answer = await call("GET", "clock").catch(() => undefined);
  if (answer) setClock(answer);
}

/** Tells every time on the page anew, except where the page means the time of day. */
export function paint() {
  const now = worldNow();
  for (const node of document.querySelectorAll("time:not(.now time, .facts time)")) {
    const then = Date.parse(node.dateTime);
    const text = relative(then - now) ?? node.dateTime.slice(0, 10);
    if (node.textContent !== text) node.textContent = text;
    node.title = `${node.dateTime.slice(0, 19).replace("T", " ")} UTC`;
    const expiry = node.closest(".expiry");
    if (!expiry || expiry.classList.contains("used")) continue;
    expiry.firstChild.data = then <= now ? "expired " : "expires ";
    expiry.classList.toggle("over", then <= now);
  }
  for (const code of document.querySelectorAll("[data-expires]:not([data-state=used])")) {
    if (Date.parse(code.dataset.expires) > now) delete code.dataset.state;
    else code.dataset.state = "expired";
  }
  // Where the exact time stands, how long ago that is comes behind it.
  for (const node of document.querySelectorAll(".facts time")) {
    const age = relative(Date.parse(node.dateTime) - now) ?? "";
    if (node.dataset.age !== age) node.dataset.age = age;
  }
  if (!isKnown) return;
  for (const watcher of watchers) watcher(now, reading.frozen);
}

/** “12 s ago”, “in 4 min”: one unit, rounded down; nothing for what a date says better. */
function relative(difference) {
  const seconds = Math.floor(Math.abs(difference) / 1000);
  if (seconds < 2) return "now";
  if (seconds >= 60 * 86400) return undefined;
  const [size, unit] = [[86400, "d"], [3600, "h"], [60, "min"], [1, "s"]].find(([size]) => seconds >= size);
  const amount = `${Math.floor(seconds / size)} ${unit}`;
  return difference < 0 ? `${amount} ago` : `in ${amount}`;
}
