// The journal: live, filtered, paused at will.
import { base, call } from "./api.js";
import { attempt, button, keeper, say } from "./dom.js";
import { entryRows, groups } from "./entry.js";
import { Feed } from "./live.js";

export function startJournal(page) {
  const form = page.querySelector("form");
  const draw = keeper(page.querySelector("#entries"));
  const filter = () => Object.fromEntries(new FormData(form));
  const isFiltered = () => Object.values(filter()).some(Boolean);
  // A filter finds requests of long ago; the events beside them have no status and no path, and come with the newest entries.
  const queries = () => (isFiltered() ? [{}, filter()] : [{}]);
  const feed = new Feed({ name: "journal", key: "entries", event: "entry", limit: 500, queries, changed });
  let waiting;
  let typing;

  function changed(arrived) {
    if (waiting && arrived.length > 0) {
      waiting.push(...arrived);
      pause.textContent = `Resume (${waiting.length} new)`;
      return;
    }
    show(arrived);
  }

  function show(arrived) {
    const { platform, status, path } = filter();
    const shown = groups(feed.items).filter(({ request, events }) =>
      request ? fits(request, filter()) : !status && !path && events.some((event) => fits(event, { platform })));
    draw(entryRows(shown, arrived));
    page.querySelector("#entries-empty").hidden = isFiltered() || shown.length > 0;
    page.querySelector("#entries-nothing").hidden = !isFiltered() || shown.length > 0;
  }

  const pause = button("Pause", () => {
    const missed = waiting;
    waiting = missed ? undefined : [];
    pause.textContent = waiting ? "Resume" : "Pause";
    say(waiting ? "The journal stands still" : "The journal runs again");
    if (missed) show(missed);
  }, { id: "pause" });
  const clear = button("Clear", attempt(async () => {
    if (!confirm("Delete the journal of this world?")) return;
    await call("DELETE", "journal");
    await feed.reload();
    say("The journal is empty");
  }));
  form.querySelector("button").replaceWith(pause, clear);
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("input", () => {
    const chosen = new URLSearchParams(Object.entries(filter()).filter(([, value]) => value));
    history.replaceState(null, "", `${base}/journal${chosen.size ? "?" + chosen : ""}`);
    clearTimeout(typing);
    typing = setTimeout(() => feed.reload(), 150);
  });
}

/** Whether the control API would give this entry for these parameters. */
function fits({ platform, exchange }, filter) {
  if (filter.platform && platform !== filter.platform) return false;
  if (filter.path && !exchange?.target.includes(filter.path)) return false;
  return !filter.status || String(exchange?.status).startsWith(filter.status.replaceAll("x", ""));
}
