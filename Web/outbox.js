// The list of messages: live, searched as one types.
import { call } from "./api.js";
import { attempt, button, say } from "./dom.js";
import { followList, journal, outbox, rows, takeOverEmptiness, untimed } from "./redraw.js";

/** Milliseconds in which requests alone have the list looked at once: of what they do, only a code that was used shows here. */
const calm = 1000;

export function startOutbox(page) {
  const show = rows(page, "mails", { tell: announce, plain: untimed });
  const refresh = followList(page, "outbox", (drawn, isChosen) => {
    show(drawn, isChosen);
    takeOverEmptiness(drawn, "mails-empty", "mails-nothing");
    clear.disabled = !drawn.getElementById("mails-empty").hidden;
  }, { feeds: [{ ...journal, calm }, outbox] });

  const clear = button("Delete all", attempt(async () => {
    if (!confirm("Delete all messages of this world? Their codes and links can still be used, but nobody will read them.")) return;
    await call("DELETE", "outbox");
    refresh();
    say("All messages were deleted");
  }), { class: "grave" });
  page.querySelector("form.filters").append(clear);
}

function announce(row, old) {
  const [to, subject] = [".to", ".subject"].map((part) => row.querySelector(part).textContent);
  return old ? undefined : `New message to ${to}: ${subject}`;
}
