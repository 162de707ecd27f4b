// The journal: live, filtered, paused at will.
import { base, call } from "./api.js";
import { attempt, button, reconcile, say } from "./dom.js";
import { entryRow, groups, signature } from "./entry.js";
import { Feed } from "./live.js";

/** Draws groups of entries into `list` and keeps the lines that have not changed. */
export function entryList(list) {
  let rows = new Map();
  return (shown, fresh) => {
    const next = new Map();
    for (const group of shown) {
      const key = (group.request ?? group.events[0]).correlation ?? signature(group);
      const old = rows.get(key);
      const name = signature(group);
      if (old?.name === name) {
        next.set(key, old);
        continue;
      }
      const isFresh = [group.request, ...group.events].some((entry) => entry && fresh.has(entry.id));
      next.set(key, { name, node: entryRow(group, { isFresh, isOpen: old?.node.querySelector("details")?.open }) });
    }
    rows = next;
    reconcile(list, [...next.values()].map(({ node }) => node));
  };
}

export function startJournal(page) {
  const form = page.querySelector("form");
  const draw = entryList(page.querySelector("#entries"));
  const filter = () => Object.fromEntries(new FormData(form));
  const feed = new Feed({
    name: "journal", key: "entries", event: "entry", limit: 500, query: filter, changed,
    accepts: (entry) => !entry.exchange || fits(entry, filter()),
  });
  let waiting;
  let typing;

  function changed(arrived) {
    if (waiting) {
      arrived.forEach(({ id }) => waiting.add(id));
      pause.textContent = waiting.size ? `Resume (${waiting.size} new)` : "Resume";
      return;
    }
    show(new Set(arrived.map(({ id }) => id)));
  }

  function show(fresh) {
    const { platform, status, path } = filter();
    const isFiltered = Boolean(platform || status || path);
    const shown = groups(feed.items).filter(({ request, events }) =>
      request ? fits(request, filter()) : !status && !path && events.some((event) => fits(event, { platform })));
    draw(shown, fresh);
    page.querySelector("#entries-empty").hidden = isFiltered || shown.length > 0;
    page.querySelector("#entries-nothing").hidden = !isFiltered || shown.length > 0;
  }

  const pause = button("Pause", () => {
    const fresh = waiting;
    waiting = fresh ? undefined : new Set();
    pause.textContent = waiting ? "Resume" : "Pause";
    say(waiting ? "The journal stands still" : "The journal runs again");
    if (fresh) show(fresh);
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
