// A list of the control API that follows its stream of server-sent events.
import { address, call } from "./api.js";
import { noticeTime, paint } from "./clock.js";
import { button, element, warn } from "./dom.js";

const feeds = new Set();
const light = element("span", { class: "light" });
let shown = "";

/** The newest items of a list, newest first, kept up to date while the page can be seen. */
export class Feed {
  /**
   * `name` of the list ("outbox"), the `key` that holds it in the answer ("messages"), the `event` of its stream, how many items to ask
   * for (`limit`), with which `queries()`, and what to call after every change: `changed(arrived)` with the items that are new.
   */
  constructor({ name, key, event, limit, queries = () => [{}], changed }) {
    Object.assign(this, { name, key, event, limit, queries, changed });
    this.items = [];
    this.arrived = [];
    this.turn = 0;
    feeds.add(this);
    document.addEventListener("visibilitychange", () => (document.hidden ? this.close() : this.open()));
    if (!document.hidden) this.open();
  }

  /** A browser allows six connections to a host; a page that nobody sees gives its own back. */
  close() {
    clearTimeout(this.retry);
    this.source?.close();
    this.source = undefined;
  }

  open() {
    this.close();
    const source = (this.source = new EventSource(address(`${this.name}/stream`)));
    source.addEventListener("open", () => {
      this.isLive = true;
      showState();
      this.reload();
    });
    source.addEventListener("error", () => {
      this.isLive = false;
      showState();
      // The browser tries again by itself, unless the answer was no stream.
      if (source.readyState === EventSource.CLOSED) this.retry = setTimeout(() => this.open(), 2000);
    });
    source.addEventListener(this.event, (event) => this.receive(JSON.parse(event.data)));
  }

  /** Collects what comes within one frame, so that a burst is drawn once. */
  receive(item) {
    noticeTime(told(item));
    if (this.arrived.length === 0) requestAnimationFrame(() => this.flush());
    this.arrived.push(item);
  }

  flush() {
    const known = new Set(this.items.map(stamp));
    const arrived = this.arrived.filter((item) => !known.has(stamp(item)));
    this.arrived = [];
    // Ids only grow, until the world is reset.
    if (arrived.some((item) => Number(item.id) <= Number(this.items[0]?.id ?? 0))) return this.reload();
    this.since?.push(...arrived);
    this.items = newest([...arrived, ...this.items], Math.max(this.limit, this.items.length));
    this.changed(arrived);
    paint();
  }

  /** Reads the whole list again: after a gap, a reset or another filter. What arrives meanwhile is not lost. */
  async reload() {
    const turn = ++this.turn;
    this.since = [];
    try {
      const answers = await Promise.all(
        this.queries().map((query) => call("GET", this.name, { query: { ...query, limit: this.limit } })));
      if (turn !== this.turn) return;
      this.items = newest([...this.since, ...answers.flatMap((answer) => answer[this.key])]);
      this.changed([]);
      paint();
    } catch (error) {
      if (turn === this.turn) warn(error.message);
    } finally {
      if (turn === this.turn) this.since = undefined;
    }
  }
}

/** When an item came about: messages and entries have their own words for it. */
const told = (item) => item.at ?? item.sentAt;
const stamp = (item) => `${item.id} ${told(item)}`;

/** The items by falling id, each once, at most `limit`. */
function newest(items, limit = items.length) {
  const byID = new Map(items.map((item) => [Number(item.id), item]));
  return [...byID].sort(([a], [b]) => b - a).slice(0, limit).map(([, item]) => item);
}

/** Says in the header whether all streams are up, and below it when one is not. */
function showState() {
  const isLive = [...feeds].every((feed) => feed.isLive);
  const state = isLive ? "live" : "lost";
  if (state === shown) return;
  shown = state;
  light.dataset.state = state;
  light.textContent = isLive ? "live" : "lost";
  document.getElementById("status").append(light);
  if (isLive) return warn("");
  const now = button("Try now", () => feeds.forEach((feed) => feed.open()));
  warn("The connection to Understudy is lost. Trying again… ", now);
}
