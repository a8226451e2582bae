// Live: changes as agents write, newest first.

import * as actions from "./actions.js";
import { get } from "./api.js";
import { h, put } from "./dom.js";
import { openFact } from "./drawer.js";
import { hue, many } from "./words.js";

const MOST = 300;

export const feed = { changes: [], state: "connecting" };

// A change from the stream; the view, when it is open, shows it at once.
export function arrived(change) {
  if (feed.changes.some((one) => one.id === change.id)) return;
  feed.changes.unshift({ ...change, fresh: true });
  feed.changes.length = Math.min(feed.changes.length, MOST);
}

export class Live {
  title = "Live";

  async open(place) {
    this.state = h("span", { class: "state" });
    this.list = h("ol", { class: "feed", "aria-live": "polite", "aria-label": "Changes, newest first" });
    put(place, h("header", { class: "head" }, h("h1", {}, "Live"), h("p", { class: "quiet" }, this.state)), this.list);
    await this.refresh();
  }

  async refresh() {
    const { items } = await get("/changes", { limit: 100 });
    const known = new Set(items.map((change) => change.id));
    const fresh = new Set(feed.changes.filter((change) => change.fresh).map((change) => change.id));
    feed.changes = [
      ...items.map((change) => ({ ...change, fresh: fresh.has(change.id) })),
      ...feed.changes.filter((change) => !known.has(change.id) && items.length < 100),
    ].slice(0, MOST);
    this.draw();
  }

  draw() {
    const told = {
      open: "Listening. Whatever an agent writes appears here at once.",
      connecting: "Connecting…",
      lost: "The stream broke; trying again.",
    };
    this.state.textContent = told[feed.state];
    this.state.className = `state ${feed.state}`;
    put(this.list, feed.changes.map(entry));
    for (const change of feed.changes) change.fresh = false;
    if (!feed.changes.length) put(this.list, h("li", { class: "nothing" }, "Nothing has changed yet. Leave this open while an agent works."));
  }

  momentChanged() {}

  close() {}
}

function entry(change) {
  const record = change.after || change.before || {};
  const text = record.text || record.path || change.record_id;
  const open = change.record === "fact" && record.id ? () => openFact(record) : null;
  return h(
    "li",
    { class: `${hue(record.category || "note")} ${change.fresh ? "fresh" : ""}` },
    h("b", { class: `kind ${change.kind}` }, change.undoes ? `undone: ${change.kind}` : change.kind),
    open ? h("button", { type: "button", class: "plain", onclick: open }, text) : h("span", {}, text),
    h("small", { title: change.why }, change.why),
    h("time", {}, ago(change.at)),
    actions.mayWrite() &&
      h("button", { type: "button", class: "plain small", onclick: () => actions.undoneChange(change) }, "Undo"),
  );
}

function ago(moment) {
  const seconds = Math.max(0, (Date.now() - new Date(moment)) / 1000);
  if (seconds < 60) return "just now";
  if (seconds < 3600) return `${many(Math.floor(seconds / 60), "minute")} ago`;
  if (seconds < 86400) return `${many(Math.floor(seconds / 3600), "hour")} ago`;
  return `${many(Math.floor(seconds / 86400), "day")} ago`;
}
