// Now: what is known, by subject and category; and what a search finds, with its reasons.

import { tell } from "./actions.js";
import { asOf, here, post, rows } from "./api.js";
import { h, later, put } from "./dom.js";
import { chosen, factRow, onTurn, rowHeight, sentence } from "./facts.js";
import { openFact } from "./drawer.js";
import { LongList } from "./list.js";
import { day, many, SIGNALS, titled } from "./words.js";

const PAGE = 200;
const HEAD = 62;

export class Now {
  title = "Now";

  async open(place) {
    this.told = h("p", { class: "quiet" });
    this.list = new LongList({ label: "What is known", more: () => this.more(), choose: chosen });
    this.hits = h("div", { class: "hits", hidden: true, "aria-live": "polite" });
    put(place, h("header", { class: "head" }, h("h1", {}, "What is known"), this.told), this.hits, this.list.element);
    this.place = place;
    this.unturn = onTurn(() => this.facts && this.draw());
    await this.refresh();
    this.search(document.getElementById("search").value);
  }

  async refresh() {
    await this.load(Math.max(PAGE, this.facts?.length || 0));
    if (this.query) this.find(this.query);
  }

  async more() {
    if (this.next && !this.loading) await this.load(this.facts.length + 1, { items: this.facts, next: this.next });
  }

  async load(wanted, before) {
    this.loading = true;
    try {
      const found = await rows("/known", { limit: PAGE, ...asOf() }, wanted, before);
      [this.facts, this.next] = [found.items, found.next];
    } finally {
      this.loading = false;
    }
    this.draw();
  }

  count() {
    if (this.query && this.found !== undefined) return void (this.told.textContent = this.foundSo());
    const pinned = this.facts.filter((fact) => fact.pinned).length;
    const when = here.moment ? `as of ${day(here.moment)}` : "now";
    const size = this.next
      ? `the newest ${many(this.facts.length, "fact")}, more as you scroll`
      : many(this.facts.length, "fact");
    this.told.textContent = `${titled(here.owner)}, ${when}: ${size}${pinned ? `, ${pinned} pinned` : ""}.`;
  }

  foundSo() {
    const when = here.moment ? `, as of ${day(here.moment)}` : "";
    return this.found ? `${many(this.found, "hit")} for “${this.query}”${when}, the best first.` : `For “${this.query}”${when}.`;
  }

  draw() {
    if (!this.facts.length) return this.empty();
    this.teaching?.remove();
    this.teaching = null;
    this.list.element.hidden = Boolean(this.query);
    this.list.set(rowsOf(this.facts));
    this.count();
  }

  empty() {
    this.count();
    this.list.element.hidden = true;
    if (this.teaching?.querySelector("form") && !here.moment) return; // Someone may be typing into it.
    this.teaching?.remove();
    this.teaching = here.moment
      ? h(
          "section",
          { class: "teach" },
          h("h2", {}, "Nothing was known then"),
          h("p", {}, "Move the slider in Time to another moment."),
        )
      : lesson();
    this.place.append(this.teaching);
  }

  search = later(90, (query) => this.find(query.trim()));

  async find(query) {
    this.query = query;
    this.asking?.abort();
    if (!query) {
      put(this.hits);
      this.hits.hidden = true;
      this.list.element.hidden = !this.facts.length;
      if (this.teaching) this.teaching.hidden = false;
      this.list.soon();
      this.found = undefined;
      this.count();
      return;
    }
    this.asking = new AbortController();
    try {
      const { items } = await post("/search", { query, limit: 20, ...asOf() }, this.asking.signal);
      if (query === this.query) this.show(items);
    } catch (error) {
      if (error.name !== "AbortError") throw error;
    }
  }

  show(items) {
    this.hits.hidden = false;
    this.list.element.hidden = true;
    if (this.teaching) this.teaching.hidden = true;
    this.found = items.length;
    this.count();
    put(
      this.hits,
      items.length
        ? items.map(hitRow)
        : h(
            "p",
            { class: "nothing" },
            "Nothing relevant is remembered. Rather than something that is merely near, you get nothing.",
          ),
    );
  }

  close() {
    this.asking?.abort();
    this.unturn();
    this.list.close();
  }
}

// Rows by subject, then by category: the user first, then whoever has most.
function rowsOf(facts) {
  const subjects = grouped(facts, (fact) => fact.subject);
  const order = [...subjects].sort(
    ([a, some], [b, others]) => (b === "user") - (a === "user") || others.length - some.length || a.localeCompare(b),
  );
  const rows = [];
  for (const [subject, about] of order) {
    rows.push({ key: `about ${subject}`, height: HEAD, draw: () => groupHead(subject, about.length) });
    for (const [category, some] of [...grouped(about, (fact) => fact.category)].sort(byCategory)) {
      some.sort((a, b) => Boolean(a.disputes) - Boolean(b.disputes)); // what is believed before what contradicts it
      some.forEach((fact, place) =>
        rows.push({ key: fact.id, height: rowHeight(), item: fact, draw: () => factRow(fact, place ? "" : category) }),
      );
    }
  }
  return rows;
}

// Who it is comes first.
const byCategory = ([a], [b]) => (b === "identity") - (a === "identity") || a.localeCompare(b);

function grouped(facts, by) {
  const groups = new Map();
  for (const fact of facts) {
    const name = by(fact);
    if (!groups.has(name)) groups.set(name, []);
    groups.get(name).push(fact);
  }
  return groups;
}

const groupHead = (subject, size) =>
  h(
    "h2",
    { class: "group" },
    h("span", {}, subject === "user" ? titled(here.owner) : titled(subject)),
    h("small", {}, size),
  );

function hitRow(hit) {
  const record = hit.record;
  const kind = record.attribute !== undefined ? "fact" : record.path !== undefined ? "note" : "message";
  const text =
    kind === "fact"
      ? sentence(record)
      : h("span", { class: "sentence" }, (record.content ?? record.text).slice(0, 400));
  const about =
    kind === "fact"
      ? `${record.subject === "user" ? "" : `${record.subject}, `}${record.attribute}`
      : kind === "note"
        ? record.path
        : `${record.origin === "user" ? record.role : record.origin} in ${record.session}`;
  const open = () =>
    kind === "fact"
      ? openFact(record)
      : kind === "message" && (location.hash = `#/talks/${encodeURIComponent(record.session)}`);
  return h(
    "article",
    { class: `hit is-${kind}`, tabindex: "0", onclick: open, onkeydown: (event) => event.key === "Enter" && open() },
    h(
      "div",
      { class: "what" },
      text,
      hit.message && h("span", { class: "sentence" }, `said: “${hit.message.content.slice(0, 400)}”`),
      h(
        "div",
        { class: "meta" },
        h("span", {}, kind),
        h("span", {}, about),
        h("span", {}, day(record.said || record.at || record.learned)),
        hit.ended && h("span", { class: "tag disputed" }, "no longer so"),
        hit.dispute && h("span", { class: "tag disputed" }, "disputed"),
      ),
    ),
    h(
      "div",
      { class: "reasons" },
      hit.reasons
        .filter((reason) => reason.strength * reason.weight >= 0.01)
        .slice(0, 5)
        .map((reason) => bar(reason)),
      h("b", {}, hit.score.toFixed(2)),
    ),
  );
}

function bar(reason) {
  const points = Math.max(0, reason.strength * reason.weight);
  return h(
    "span",
    {
      class: "reason",
      title: `${SIGNALS[reason.signal] || reason.signal}: ${reason.strength.toFixed(2)} × ${reason.weight.toFixed(2)} ${reason.detail}`,
    },
    h("em", {}, reason.signal),
    h("i", {}, h("u", { style: { width: `${Math.min(100, Math.round(points * 100))}%` } })),
  );
}

// An empty memory teaches how to fill it.
function lesson() {
  const field = h("input", {
    placeholder: "I live in Porto and I prefer window seats.",
    "aria-label": "Something about you",
  });
  const send = async (event) => {
    event.preventDefault();
    if (field.value.trim()) await tell(field.value.trim());
  };
  return h(
    "section",
    { class: "teach" },
    h("h2", {}, "Nothing is remembered yet"),
    h(
      "p",
      {},
      "Tell it something about yourself. The words are kept as you say them, and the facts in them appear here, ",
      "each with where it comes from.",
    ),
    h("form", { class: "line", onsubmit: send }, field, h("button", { class: "solid", type: "submit" }, "Tell it")),
    h(
      "div",
      { class: "ways" },
      way("From Python", 'from recollect import Memory\nMemory().add("I live in Porto.")'),
      way("From a shell", 'recollect add "I live in Porto."'),
      way("From your agent", "recollect install claude-code\nrecollect mcp --print-config cursor"),
    ),
  );
}

const way = (title, code) => h("div", {}, h("h3", {}, title), h("pre", {}, code));
