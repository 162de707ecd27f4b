// The journal: live, filtered, paused at will.
import { call } from "./api.js";
import { attempt, button, say } from "./dom.js";
import { followList, rows, takeOverEmptiness } from "./redraw.js";

export function startJournal(page) {
  const show = rows(page, "entries");
  // What is older stands still.
  if ("before" in page.dataset) return;
  /** How many came while the page stands still; undefined while it runs. */
  let missed;
  const form = page.querySelector("form.filters");
  const refresh = followList(page, "journal", (drawn, isChosen) => {
    show(drawn, isChosen);
    page.querySelector("#entries-more").replaceWith(document.adoptNode(drawn.querySelector("#entries-more")));
    takeOverEmptiness(drawn, "entries-empty", "entries-nothing");
  }, { holds });

  function holds(arrived) {
    if (missed === undefined || arrived.length === 0) return false;
    missed += arrived.length;
    pause.textContent = `Resume (${missed} new)`;
    return true;
  }

  const pause = button("Pause", () => {
    const isHeld = missed === undefined;
    missed = isHeld ? 0 : undefined;
    pause.textContent = isHeld ? "Resume" : "Pause";
    say(isHeld ? "The journal is paused" : "The journal is live again");
    if (!isHeld) refresh();
  }, { id: "pause" });
  const clear = button("Clear", attempt(async () => {
    if (!confirm("Clear the journal of this world? Its requests, explanations and flows will be lost.")) return;
    await call("DELETE", "journal");
    refresh();
    say("The journal is empty");
  }), { class: "grave" });
  form.append(pause, clear);
}
