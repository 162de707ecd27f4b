// How journal entries look: one request and its events make one line that opens.
import { decorate, element, time } from "./dom.js";

/** Entries, newest first, as groups, newest first: a request with its events (oldest first), or events alone. */
export function groups(entries) {
  const byCorrelation = new Map();
  const all = [];
  for (const entry of entries) {
    let group = byCorrelation.get(entry.correlation);
    if (!group || (entry.exchange && group.request)) {
      group = { request: undefined, events: [] };
      all.push(group);
      if (entry.correlation) byCorrelation.set(entry.correlation, group);
    }
    if (entry.exchange) group.request = entry;
    else group.events.unshift(entry);
  }
  return all;
}

/** Groups for a keeper. The first id names a group for good; ids begin again when a world is reset, so the times are part of the look. */
export function entryRows(all, arrived) {
  const fresh = new Set(arrived);
  return all.map((group) => {
    const entries = [...group.events, group.request].filter(Boolean);
    const isFresh = entries.some((entry) => fresh.has(entry));
    return {
      key: Math.min(...entries.map(({ id }) => id)),
      look: entries.map(({ id, at }) => `${id} ${at}`).join(),
      make: (old) => entryRow(group, isFresh, old?.querySelector("details")?.open),
    };
  });
}

/** The line of a group, as the server writes it; `isOpen` keeps it open when it is drawn anew. */
function entryRow({ request, events }, isFresh, isOpen) {
  const id = (request ?? events[0]).id;
  const look = `entry${request ? "" : " lone"}${isFresh ? " fresh" : ""}`;
  if (!request) return element("li", { class: look, "data-id": id }, ...events.map((event) => eventLine(event, "p")));
  const list = events.length ? element("ul", { class: "events" }, ...events.map((event) => eventLine(event, "li"))) : undefined;
  return element("li", { class: look, "data-id": id }, exchange(request, isOpen), list);
}

function exchange(entry, isOpen) {
  const { method, target, status, duration } = entry.exchange;
  const details = element("details", { open: isOpen },
    element("summary", {},
      element("span", { class: `outcome ${outcome(entry)}` }, String(status)),
      element("span", { class: "method" }, method),
      element("span", { class: "target" }, target),
      entry.platform ? element("span", { class: "about" }, entry.platform) : undefined,
      element("span", { class: "duration" }, `${duration.toFixed(duration < 10 ? 1 : 0)} ms`),
      time(entry.at),
      why(entry)));
  // What is inside is made when it is first looked at; most lines never are.
  const fill = () => details.append(insides(entry.at, entry.exchange));
  if (isOpen) fill();
  else details.addEventListener("toggle", fill, { once: true });
  return details;
}

function outcome({ isBug, exchange: { status } }) {
  if (isBug) return "bug";
  return ["good", "good", "good", "moved", "refused", "broken"][Math.floor(status / 100)];
}

function why({ isBug, explanation }) {
  if (!isBug && !explanation) return undefined;
  const mark = isBug ? element("strong", {}, "A bug of Understudy.") : undefined;
  return element("span", { class: "why" }, mark, isBug ? " " : undefined, explanation);
}

function eventLine({ event, explanation, subject, at }, tag) {
  const text = explanation ?? subject;
  return element(tag, { class: "event" },
    element("b", {}, event), " ",
    text ? element("span", { class: "why" }, text) : undefined, " ",
    tag === "p" ? time(at) : undefined);
}

function insides(at, { method, target, status, requestHeaders, requestBody, responseHeaders, responseBody }) {
  return decorate(element("div", { class: "exchange" },
    element("h3", {}, `Request at ${at.slice(11).replace("Z", "")} UTC`), ...part(`${method} ${target}`, requestHeaders, requestBody),
    element("h3", {}, "Response"), ...part(String(status), responseHeaders, responseBody),
    ...again(method, target, requestHeaders, requestBody)));
}

/** The request as a command for a shell, unless the journal has only a part of the body. The connection's own headers are curl's business. */
function again(method, target, headers = [], body = "") {
  if (/^base64:|… \(\d+ bytes in all\)$/.test(body)) return [];
  const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;
  const host = headers.find(([name]) => name.toLowerCase() === "host")?.[1] ?? location.host;
  const own = headers.filter(([name]) => !/^(host|content-length|connection|accept-encoding|transfer-encoding|expect)$/i.test(name));
  // A method may hold what means something to a shell: RFC 9110 §5.6.2.
  const verb = method === "HEAD" ? "-I" : `-X ${/^[A-Za-z-]+$/.test(method) ? method : quoted(method)}`;
  const line = [`curl ${verb} ${quoted(`${location.protocol}//${host}${target}`)}`,
    ...own.map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(body ? [`--data-raw ${quoted(body)}`] : [])].join(" \\\n  ");
  return [element("h3", {}, "The same again"), element("pre", { class: "shell", "data-copy": true }, line)];
}

function part(firstLine, headers = [], body = "") {
  const lines = [firstLine, ...headers.map(([name, value]) => `${name}: ${value}`)];
  const head = element("pre", { class: "headers", tabindex: "0" }, lines.join("\n"));
  return body ? [head, element("pre", { class: "body", tabindex: "0" }, pretty(body))] : [head];
}

/** JSON with line breaks; anything else as it came. */
function pretty(body) {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}
