// The server-sent events of the control API, which tell the pages that something has happened.
import { address } from "./api.js";
import { noticeTime } from "./clock.js";
import { button, element, warn } from "./dom.js";

const feeds = new Set();
const light = element("span", { class: "light" });
let shown = "";

/** A stream of a world, while the page can be seen. */
export class Feed {
  /**
   * `name` of the stream ("outbox"), its `query`, the `event` in it, and what to call when something came: `changed(items)`, with no item when the stream was opened,
   * so that what came before is not missed.
   */
  constructor({ name, query = "", event, changed }) {
    Object.assign(this, { name, query, event, changed });
    this.arrived = [];
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
    const source = (this.source = new EventSource(address(`${this.name}/stream${this.query}`)));
    source.addEventListener("open", () => {
      this.isLive = true;
      showState();
      this.changed([]);
    });
    source.addEventListener("error", () => {
      this.isLive = false;
      showState();
      // The browser tries again by itself, unless the answer was no stream.
      if (source.readyState === EventSource.CLOSED) this.retry = setTimeout(() => this.open(), 2000);
    });
    source.addEventListener(this.event, (event) => this.receive(JSON.parse(event.data)));
  }

  /** Collects what comes within one frame, so that a burst is told once. */
  receive(item) {
    noticeTime(told(item));
    if (this.arrived.length === 0) requestAnimationFrame(() => this.flush());
    this.arrived.push(item);
  }

  flush() {
    const { arrived } = this;
    this.arrived = [];
    this.changed(arrived);
  }
}

/** When an item came about: messages and entries have their own words for it. */
const told = (item) => item.at ?? item.sentAt;

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
