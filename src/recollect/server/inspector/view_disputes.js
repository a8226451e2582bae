// Disputes: what contradicts, what waits for a person's word, and what was refused.

import * as actions from "./actions.js";
import { get } from "./api.js";
import { $, h, put } from "./dom.js";
import { openFact } from "./drawer.js";
import { sentence } from "./facts.js";
import { day, hue, SAID_BY } from "./words.js";

export async function countDisputes() {
  const { items } = await get("/disputes");
  $("waiting").hidden = !items.length;
  $("waiting").textContent = items.length;
}

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
    const others = await Promise.all(
      disputes.items.map((fact) => get(`/facts/${encodeURIComponent(fact.disputes)}`).catch(() => null)),
    );
    put(
      this.body,
      section(
        "Contradictions",
        disputes.items.length,
        "Two things that cannot both be so.",
        disputes.items.map((fact, place) => dispute(fact, others[place])),
      ),
      section(
        "Not yet confirmed",
        waiting.items.length,
        "Told by an assistant, a tool, a document or an import.",
        waiting.items.map(waits),
      ),
      section(
        "Refused",
        refused.items.length,
        "Stated in the newest messages and not believed. Nothing of it was kept as a fact.",
        refused.items.map(refusal),
      ),
    );
  }

  momentChanged() {}

  close() {}
}

function section(title, size, about, rows) {
  return h(
    "section",
    { class: "court" },
    h("h2", {}, title, h("small", {}, size)),
    h("p", { class: "quiet" }, about),
    rows.length ? rows : h("p", { class: "nothing" }, "None."),
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
        h("button", { type: "button", class: "solid", onclick: () => actions.accept(fact) }, "Accept"),
        h("button", { type: "button", class: "ghost", onclick: () => actions.reject(fact) }, "Reject"),
      ),
  );
}

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
    h("span", {}),
    actions.mayWrite() &&
      h(
        "div",
        { class: "verdict" },
        h("button", { type: "button", class: "solid", onclick: () => actions.confirm(fact) }, "Accept"),
        h("button", { type: "button", class: "ghost", onclick: () => actions.end(fact) }, "Reject"),
      ),
  );
}

const refusal = (one) =>
  h(
    "article",
    { class: "dispute wait" },
    h("div", { class: "claim" }, h("span", { class: "sentence" }, one.text), h("small", {}, one.why)),
  );
