// Conversations: what was said, which words became facts, and what was not believed.

import { attempt } from "./actions.js";
import { get } from "./api.js";
import { h, put } from "./dom.js";
import { openFact } from "./drawer.js";
import { LongList } from "./list.js";
import { clock, day, hue, many } from "./words.js";

const PAGE = 50;
const ROW = 58;

export class Talks {
  title = "Conversations";

  async open(place, name) {
    this.list = new LongList({
      label: "Conversations",
      more: () => this.more(),
      choose: (key, row) => key === "Enter" && (this.go(row.item.session), true),
    });
    this.paper = h("section", { class: "paper", "aria-label": "What was said" });
    this.told = h("p", { class: "quiet" });
    put(
      place,
      h("header", { class: "head" }, h("h1", {}, "Conversations"), this.told),
      h("div", { class: "talks" }, this.list.element, this.paper),
    );
    this.place = place;
    await this.refresh(name);
  }

  go(session) {
    location.hash = `#/talks/${encodeURIComponent(session)}`;
  }

  async refresh(name) {
    const page = await get("/sessions", { limit: PAGE });
    this.items = page.items;
    this.next = page.next;
    this.draw();
    const reading = this.name ? this.reading : Boolean(name);
    await this.show(this.name ?? name ?? this.items[0]?.session, reading);
  }

  async more() {
    if (!this.next || this.loading) return;
    this.loading = true;
    await attempt(async () => {
      const page = await get("/sessions", { limit: PAGE, cursor: this.next });
      this.items.push(...page.items);
      this.next = page.next;
      this.draw();
    });
    this.loading = false;
  }

  draw() {
    const more = this.next ? ", more as you scroll" : "";
    this.told.textContent = this.items.length
      ? `${many(this.items.length, "conversation")}${more}. Marked words became facts.`
      : "Nothing was said yet.";
    this.list.set(
      this.items.map((info) => ({ key: info.session, height: ROW, item: info, draw: () => this.entry(info) })),
    );
  }

  entry(info) {
    return h(
      "article",
      { class: `talk ${info.session === this.name ? "open" : ""}`, onclick: () => this.go(info.session) },
      h("b", {}, info.session),
      h("small", {}, `${many(info.messages, "message")}, ${day(info.last)}`),
    );
  }

  async show(name, asked) {
    this.name = name;
    this.reading = Boolean(asked);
    if (!this.items) return; // The list is still on its way, and shows this one when it is there.
    this.place.querySelector(".talks").classList.toggle("reading", this.reading);
    this.place.querySelector(".talks").classList.toggle("none", !name);
    if (!name)
      return void put(
        this.paper,
        h(
          "div",
          { class: "teach" },
          h("h2", {}, "No conversation yet"),
          h("p", {}, "What an agent keeps with add(), its hooks or MCP is shown here, word for word, with the words that became facts marked."),
          h("p", {}, h("a", { href: "#/now" }, "Tell it something in Now")),
        ),
      );
    this.draw();
    this.said = [];
    this.cursor = null;
    await this.earlier();
  }

  async earlier() {
    const path = `/sessions/${encodeURIComponent(this.name)}/records`;
    const [page, refused] = await Promise.all([
      get(path, { limit: PAGE, cursor: this.cursor }),
      this.cursor ? { items: this.refused } : get("/refused", { session: this.name }),
    ]);
    this.refused = refused.items;
    this.cursor = page.next;
    this.said = [...page.items.reverse(), ...this.said];
    put(
      this.paper,
      h("header", {}, h("a", { class: "back", href: "#/talks" }, "‹ All"), h("h2", {}, this.name)),
      this.cursor &&
        h("button", { type: "button", class: "plain", onclick: () => attempt(() => this.earlier()) }, "Earlier words"),
      this.said.map(({ message, facts }) => this.bubble(message, facts)),
    );
  }

  bubble(message, facts) {
    const refused = this.refused.filter((one) => one.message === message.id);
    const many = facts.length
      ? `${facts.length} ${facts.length === 1 ? "fact" : "facts"}`
      : message.role === "user"
        ? ""
        : "kept, states no fact";
    return h(
      "article",
      { class: `said ${message.role}`, data: { id: message.id } },
      h("header", {}, h("b", {}, message.name || message.role), h("time", {}, clock(message.at)), h("small", {}, many)),
      h("p", {}, marked(message, facts)),
      facts.length > 0 &&
        h(
          "ul",
          { class: "gave" },
          facts.map((fact) =>
            h(
              "li",
              { class: hue(fact.category) },
              h("button", { type: "button", class: "plain", onclick: () => openFact(fact) }, fact.text),
              fact.until || fact.retired ? h("small", {}, fact.retired ? "put right since" : "over") : null,
            ),
          ),
        ),
      refused.length > 0 &&
        h(
          "ul",
          { class: "refused" },
          refused.map((one) => h("li", {}, h("b", {}, "Not believed: "), one.text, h("small", {}, one.why))),
        ),
    );
  }

  momentChanged() {}

  close() {
    this.list.close();
  }
}

// The words, with those that a fact quotes marked.
function marked(message, facts) {
  const quotes = [];
  for (const fact of facts) {
    for (const source of fact.sources) {
      const start = source.message === message.id ? message.content.indexOf(source.quote) : -1;
      if (start >= 0 && source.quote) quotes.push({ start, end: start + source.quote.length, fact });
    }
  }
  quotes.sort((a, b) => a.start - b.start || b.end - a.end);
  const parts = [];
  let place = 0;
  for (const { start, end, fact } of quotes) {
    if (start < place) continue;
    const open = () => openFact(fact);
    parts.push(
      message.content.slice(place, start),
      h(
        "mark",
        {
          class: hue(fact.category),
          tabindex: "0",
          title: fact.text,
          onclick: open,
          onkeydown: (event) => event.key === "Enter" && open(),
        },
        message.content.slice(start, end),
      ),
    );
    place = end;
  }
  return [...parts, message.content.slice(place)];
}
