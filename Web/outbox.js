// The list of messages: live, searched as one types.
import { base, call } from "./api.js";
import { attempt, button, decorate, element, keeper, say, time } from "./dom.js";
import { Feed } from "./live.js";

export function startOutbox(page) {
  const show = keeper(page.querySelector("#mails"));
  const search = page.querySelector("input[type=search]");
  const feed = new Feed({ name: "outbox", key: "messages", event: "message", limit: 200, changed: draw });

  function draw(arrived) {
    announce(arrived);
    const words = search.value.trim().toLowerCase();
    const found = feed.items.filter((message) => searched(message).includes(words));
    show(mailRows(found, arrived, mailRow));
    page.querySelector("#mails-empty").hidden = feed.items.length > 0;
    page.querySelector("#mails-nothing").hidden = found.length > 0 || feed.items.length === 0;
    clear.disabled = feed.items.length === 0;
  }

  const clear = button("Delete all", attempt(async () => {
    if (!confirm("Delete every message of this world?")) return;
    await call("DELETE", "outbox");
    await feed.reload();
    say("All messages are deleted");
  }));
  const form = page.querySelector("form");
  form.querySelector("button").replaceWith(clear);
  form.addEventListener("submit", (event) => event.preventDefault());
  search.addEventListener("input", () => {
    const query = search.value ? `?q=${encodeURIComponent(search.value)}` : "";
    history.replaceState(null, "", `${base}/outbox${query}`);
    draw([]);
  });
}

/** What the search looks at, in lower case. */
function searched({ to, subject, code = "", kind, source }) {
  return [to.address, to.name ?? "", subject, code, kind, source].join("\n").toLowerCase();
}

function announce(arrived) {
  if (arrived.length === 1) say(`New message to ${arrived[0].to.address}: ${arrived[0].subject}`);
  if (arrived.length > 1) say(`${arrived.length} new messages`);
}

/** Messages for a keeper, drawn by `row(message, isFresh)`. Ids begin again when a world is reset, so the time is part of the look. */
export function mailRows(messages, arrived, row) {
  const fresh = new Set(arrived);
  return messages.map((message) => ({ key: message.id, look: message.sentAt, make: () => row(message, fresh.has(message)) }));
}

/** What a message is for, and which platform sent it; a mere notice has no kind. */
const about = (kind, source) => (kind ? `${kind} · ${source}` : source);

/** One line of the outbox, as the server writes it. */
function mailRow({ id, subject, to, kind, source, code, sentAt }, isFresh) {
  return decorate(element("li", { class: isFresh ? "mail fresh" : "mail", "data-id": id },
    element("a", { class: "subject", href: `${base}/outbox/${id}` }, subject || "(no subject)"),
    element("span", { class: "to" }, to.name ? `${to.name} <${to.address}>` : to.address),
    element("span", { class: "about" }, about(kind, source)),
    code ? element("code", { class: "code", "data-copy": true }, code) : undefined,
    time(sentAt)));
}

/** One code of the home page, as the server writes it. */
export function ticket({ id, to, kind, source, code, sentAt, expiresAt }, isFresh) {
  const expiry = expiresAt ? element("span", { class: "expiry" }, "expires ", time(expiresAt)) : undefined;
  return decorate(element("li", { class: isFresh ? "ticket fresh" : "ticket", "data-id": id },
    element("code", { class: "code", "data-copy": true }, code),
    element("a", { class: "to", href: `${base}/outbox/${id}` }, to.address),
    element("span", { class: "about" }, about(kind, source)),
    element("span", { class: "times" }, time(sentAt), " ", expiry)));
}
