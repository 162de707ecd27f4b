// The home page: newest codes, newest requests, and the world's clock to move.
import { call } from "./api.js";
import { setClock, watchClock } from "./clock.js";
import { attempt, button, element, keeper, say } from "./dom.js";
import { entryRows, groups } from "./entry.js";
import { Feed } from "./live.js";
import { mailRows, ticket } from "./outbox.js";

export function startHome(page) {
  followCodes(page);
  followJournal(page);
  addControls(page.querySelector("#world"));
}

function followCodes(page) {
  const show = keeper(page.querySelector("#codes"));
  const feed = new Feed({ name: "outbox", key: "messages", event: "message", limit: 50, changed });

  function changed(arrived) {
    const shown = feed.items.filter((message) => message.code).slice(0, 6);
    show(mailRows(shown, arrived, ticket));
    page.querySelector("#codes-empty").hidden = shown.length > 0;
    const newest = arrived.find((message) => message.code);
    if (newest) say(`New code for ${newest.to.address}: ${[...newest.code].join(" ")}`);
  }
}

function followJournal(page) {
  const show = keeper(page.querySelector("#entries"));
  const feed = new Feed({ name: "journal", key: "entries", event: "entry", limit: 60, changed });

  function changed(arrived) {
    const shown = groups(feed.items).slice(0, 12);
    show(entryRows(shown, arrived));
    page.querySelector("#entries-empty").hidden = shown.length > 0;
  }
}

/** Moves of the clock, in seconds. */
const steps = [["+1 min", 60], ["+5 min", 300], ["+1 h", 3600], ["+1 day", 86400]];

function addControls(panel) {
  setClock({ now: panel.dataset.now, frozen: panel.dataset.frozen === "true" });
  const face = panel.querySelector("#now time");
  const state = panel.querySelector("#now .clock-state");
  const hold = button("Freeze", attempt(async () => {
    const frozen = state.textContent !== "frozen";
    setClock(await call("PUT", "clock", { body: { frozen } }));
    say(frozen ? "The clock stands still" : "The clock runs");
  }));
  const today = button("Real time", attempt(async () => {
    setClock(await call("PUT", "clock", { body: { now: null } }));
    say("The clock shows the real time");
  }));
  const moves = steps.map(([text, seconds]) => button(text, attempt(async () => {
    setClock(await call("POST", "clock/advance", { body: { seconds } }));
    say(`The clock moved by ${text}`);
  })));
  const reset = button("Reset world", attempt(async () => {
    if (!confirm("Put this world back to its fixtures? Users, messages and journal of it are lost.")) return;
    await call("POST", `worlds/${panel.dataset.world}/reset`);
    location.reload();
  }), { class: "grave" });
  panel.append(element("div", { class: "controls" }, hold, ...moves, today, reset));

  watchClock((now, frozen) => {
    const iso = new Date(now).toISOString();
    face.dateTime = iso;
    face.textContent = iso.slice(0, 19).replace("T", " ");
    state.textContent = frozen ? "frozen" : "running";
    hold.textContent = frozen ? "Run" : "Freeze";
    today.disabled = !frozen && Math.abs(now - Date.now()) < 2000;
  });
}
