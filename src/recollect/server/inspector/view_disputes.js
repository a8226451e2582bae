// Disputes: what contradicts, what waits for a person's word, and what was refused.

import * as actions from "./actions.js";
import { get } from "./api.js";
import { $, h, put } from "./dom.js";
import { openFact } from "./drawer.js";
import { sentence } from "./facts.js";
import { day, hue, SAID_BY } from "./words.js";

export async function countDisputes() {
  const found = await get("/disputes");
  $("waiting").hidden = !found.items.length;
  $("waiting").textContent = count(found);
}

// How many there are, as far as this page of them tells.
const count = ({ items, next }) => (next ? `${items.length}+` : items.length);

export class Disputes {
  title = "Disputes";

  async open(place) {
    this.body = h("div", { class: "courts" });
    put(
      place,
      h(
        "header",
        { class: "head" },
        h("h1", {}, "Disputes and quarantine"),
        h(
          "p",
          { class: "quiet" },
          "Nothing that you said is ever ended by someone you trust less. It waits here for your word.",
        ),
      ),
      this.body,
    );
    await this.refresh();
  }

  async refresh() {
    const [disputes, waiting, refused] = await Promise.all([get("/disputes"), get("/waiting"), get("/refused")]);
    const others = new Map(disputes.others.map((fact) => [fact.id, fact]));
    put(
      this.body,
      section(
        "Contradictions",
        disputes,
        "Two things that cannot both be so.",
        (fact) => dispute(fact, others.get(fact.disputes)),
      ),
      section(
        "Not yet confirmed",
        waiting,
        "Told by an assistant, a tool, a document or an import.",
        waits,
      ),
      section(
        "Refused",
        refused,
        "Stated in the newest messages and not believed. Nothing of it was kept as a fact.",
        refusal,
      ),
    );
  }

  momentChanged() {}

  close() {}
}

function section(title, found, about, row) {
  return h(
    "section",
    { class: "court" },
    h("h2", {}, title, h("small", {}, count(found))),
    h("p", { class: "quiet" }, about),
    found.items.length ? found.items.map(row) : h("p", { class: "nothing" }, "None."),
    found.next && h("p", { class: "quiet" }, "These are the newest. The others come up as these are settled."),
  );
}

function dispute(fact, other) {
  return h(
    "article",
    { class: "dispute", data: { id: fact.id } },
    side("Said now", fact),
    h("span", { class: "against", "aria-hidden": "true" }, "≠"),
    other && side("Believed", other),
    actions.mayWrite() &&
      h(
        "div",
        { class: "verdict" },
        verdict("Accept", "Believe what was said now", "solid", () => actions.accept(fact)),
        verdict("Reject", "Keep what is believed", "ghost", () => actions.reject(fact)),
      ),
  );
}

const verdict = (name, about, look, work) =>
  h("button", { type: "button", class: look, title: about, onclick: work }, name);

function side(label, fact) {
  return h(
    "button",
    { type: "button", class: `claim ${hue(fact.category)}`, onclick: () => openFact(fact) },
    h("small", {}, label),
    sentence(fact),
    h("small", {}, `${SAID_BY[fact.origin] || fact.origin}, ${day(fact.said)}`),
  );
}

function waits(fact) {
  return h(
    "article",
    { class: "dispute wait", data: { id: fact.id } },
    side(fact.attribute, fact),
    actions.mayWrite() &&
      h(
        "div",
        { class: "verdict" },
        verdict("Accept", "It is so", "solid", () => actions.confirm(fact)),
        verdict("Reject", "It is not so: end it", "ghost", () => actions.end(fact)),
      ),
  );
}

const refusal = (one) =>
  h(
    "article",
    { class: "dispute wait" },
    h("div", { class: "claim" }, h("span", { class: "sentence" }, one.text), h("small", {}, one.why)),
  );
