// A fact as a row of a list.

import * as actions from "./actions.js";
import { openFact } from "./drawer.js";
import { button, h, icon } from "./dom.js";
import { around, hue, SAID_BY, span } from "./words.js";

const NARROW = matchMedia("(max-width: 820px)");
// On a phone what stands beside a fact goes below it.
export const rowHeight = () => (NARROW.matches ? 62 : 46);
export const onTurn = (work) => {
  NARROW.addEventListener("change", work);
  return () => NARROW.removeEventListener("change", work);
};

export function sentence(fact) {
  const [before, value, after] = around(fact.text, fact.value);
  return h("span", { class: "sentence" }, before, value && h("b", {}, value), after);
}

export function confidence(fact) {
  const share = Math.round(fact.confidence * 100);
  return h(
    "span",
    { class: "meter", role: "img", title: `Confidence ${share} %`, "aria-label": `Confidence ${share} %` },
    h("i", { style: { width: `${share}%` } }),
  );
}

export function tags(fact) {
  return [
    fact.pinned && h("span", { class: "tag pinned", title: "In every context" }, icon("pin"), "pinned"),
    fact.disputes && h("span", { class: "tag disputed" }, "disputed"),
    fact.doubted_by && h("span", { class: "tag disputed", title: `Said later: ${fact.doubted_by.quote}` }, "may be outdated"),
    fact.confirmations > 0 &&
      h("span", { class: "tag soft", title: "Said again so many times" }, `×${fact.confirmations + 1}`),
  ];
}

export function buttons(fact) {
  if (!actions.mayWrite()) return null;
  return h(
    "span",
    { class: "acts" },
    button(
      fact.pinned ? "Unpin" : "Pin",
      "pin",
      stop(() => actions.pin(fact)),
      { "aria-pressed": String(fact.pinned) },
    ),
    button(
      "Change: it is different now",
      "edit",
      stop(() => openFact(fact, "change")),
    ),
    button(
      "Correct: it never was so",
      "correct",
      stop(() => openFact(fact, "correct")),
    ),
    button(
      "End: it is over",
      "end",
      stop(() => actions.end(fact)),
    ),
    button(
      "Erase for good",
      "erase",
      stop(() => openFact(fact, "erase")),
    ),
  );
}

const stop = (work) => (event) => (event.stopPropagation(), work());

// `label`: the category, on the first row that has it.
export function factRow(fact, label) {
  return h(
    "article",
    {
      class: `fact ${hue(fact.category)} ${label ? "first" : ""}`,
      data: { id: fact.id },
      onclick: () => openFact(fact),
    },
    h("span", { class: "gutter" }, label),
    h("span", { class: "stripe" }),
    h("div", { class: "what" }, sentence(fact), h("span", { class: "meta" }, tags(fact))),
    h(
      "span",
      { class: "when" },
      h("span", { class: "kind-of" }, `${fact.category} · `),
      h("span", { class: `by ${fact.origin}`, title: SAID_BY[fact.origin] || fact.origin }, fact.origin),
      ` · ${span(fact)}`,
    ),
    confidence(fact),
    buttons(fact),
  );
}

// What the keyboard does with the fact that is chosen in a list.
export function chosen(key, row) {
  const fact = row.item;
  if (key === "Enter") return (openFact(fact), true);
  if (!actions.mayWrite()) return false;
  const work = {
    p: () => actions.pin(fact),
    e: () => openFact(fact, "change"),
    c: () => openFact(fact, "correct"),
    x: () => actions.end(fact),
    Delete: () => openFact(fact, "erase"),
  }[key];
  if (!work) return false;
  work();
  return true;
}
