// The home page: newest codes, newest requests, and the world's clock to move.
import { base, call } from "./api.js";
import { setClock, watchClock } from "./clock.js";
import { attempt, button, decorate, element, say } from "./dom.js";
import { follow, journal, outbox, rows, takeOverEmptiness, untimed } from "./redraw.js";

export function startHome(page) {
  const showCodes = rows(page, "codes", { tell: announce, plain: untimed });
  const showEntries = rows(page, "entries");
  const showWaiting = rows(page, "waiting");
  const draw = (drawn) => {
    showCodes(drawn);
    showEntries(drawn);
    showWaiting(drawn);
    takeOverEmptiness(drawn, "codes-empty", "entries-empty", "entries-none", "waiting-empty");
  };
  follow(() => `${base}/`, draw, { feeds: [journal, outbox] });
  startConnect(page.querySelector("#connect"));
  addControls(page.querySelector("#world"));
}

function announce(row, old) {
  const [to, code] = [".to", ".code"].map((part) => row.querySelector(part).textContent);
  return old ? undefined : `New code for ${to}: ${[...code].join(" ")}`;
}

/** What to paste follows the choice at once. */
function startConnect(panel) {
  const form = panel.querySelector("form");
  form.querySelector("button").remove();
  let latest;
  form.addEventListener("change", async () => {
    const address = latest = `${base}/?${new URLSearchParams(new FormData(form))}`;
    const answer = await fetch(address, { headers: { Accept: "text/html" } }).catch(() => undefined);
    if (!answer?.ok) return;
    const drawn = new DOMParser().parseFromString(await answer.text(), "text/html");
    // The answer to an earlier choice may come after that to a later one.
    if (address !== latest) return;
    panel.querySelector("#setup").replaceWith(decorate(document.adoptNode(drawn.getElementById("setup"))));
    history.replaceState(null, "", address + "#connect");
  });
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
    say(frozen ? "The clock is frozen" : "The clock is running");
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
    if (!confirm("Reset this world to its fixtures? Its users, messages and journal will be lost.")) return;
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
