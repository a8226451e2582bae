// One fact, opened: where it comes from, what came before it, and what can be done with it.

import * as actions from "./actions.js";
import { get } from "./api.js";
import { $, button, h, icon, put } from "./dom.js";
import { around, clock, day, hue, SAID_BY, span, titled } from "./words.js";

let shown = null;
let before = null;

export function closeDrawer() {
  if (!shown) return false;
  shown = null;
  $("drawer").hidden = true;
  document.body.classList.remove("opened");
  before?.isConnected && before.focus();
  return true;
}

export async function openFact(fact, mode = null) {
  if (!shown) before = document.activeElement;
  shown = fact.id;
  const place = $("drawer");
  place.hidden = false;
  document.body.classList.add("opened");
  const top = h("div", {}, head(fact), form(fact, mode));
  const rest = h("div", {}, h("p", { class: "quiet pad" }, "Looking it up…"));
  put(place, top, rest);
  (place.querySelector("form input") || place.querySelector(".act")).focus();
  const found = await actions.attempt(() =>
    Promise.all([get("/why", { what: fact.id }), get("/history", { key: fact.attribute, subject: fact.subject })]),
  );
  if (!rest.isConnected) return; // Another fact was opened meanwhile.
  if (!found) return void put(rest);
  const [why, history] = found;
  const now = why.fact || fact;
  if (!mode) {
    // What someone types into stays as it is.
    const focused = top.contains(document.activeElement);
    put(top, head(now), form(now, mode));
    if (focused) top.querySelector(".act").focus();
  }
  put(rest, lineage(now, history), words(now, why.sources), log(why));
}

function head(fact) {
  const [start, value, rest] = around(fact.text, fact.value);
  return h(
    "header",
    { class: `card ${hue(fact.category)}` },
    button("Close", "close", closeDrawer, { class: "close" }),
    h(
      "p",
      { class: "over" },
      [...new Set([fact.subject === "user" ? "" : fact.subject, fact.attribute, fact.category])]
        .filter(Boolean)
        .join(" · "),
    ),
    h("h2", {}, start, value && h("em", {}, value), rest),
    h(
      "dl",
      {},
      entry("In the world", span(fact)),
      entry("Known since", clock(fact.learned)),
      entry("Origin", SAID_BY[fact.origin] || fact.origin),
      entry(
        "Confidence",
        `${Math.round(fact.confidence * 100)} %${fact.confirmations ? `, said ${fact.confirmations + 1} times` : ""}`,
      ),
    ),
  );
}

const entry = (name, text) => h("div", {}, h("dt", {}, name), h("dd", {}, text));

function form(fact, mode) {
  if (!actions.mayWrite()) return h("p", { class: "quiet pad" }, "This key may only read.");
  const open = (next) => openFact(fact, next);
  const over = fact.until && new Date(fact.until) <= new Date();
  return h(
    "section",
    { class: "doing" },
    h(
      "div",
      { class: "choices" },
      !over && choice(fact.pinned ? "Unpin" : "Pin", "pin", () => after(actions.pin(fact), fact)),
      !over && choice("Change", "edit", () => open("change"), mode === "change"),
      choice("Correct", "correct", () => open("correct"), mode === "correct"),
      !over && choice("End", "end", () => after(actions.end(fact), fact)),
      choice("Erase", "erase", () => open("erase"), mode === "erase"),
    ),
    (mode === "change" || mode === "correct") && editor(fact, mode),
    mode === "erase" &&
      h(
        "div",
        { class: "sure" },
        h("p", {}, "Erasing removes it with the words it came from, from every page of the file. It cannot be undone."),
        actions.twice(
          "Erase for good",
          "Click again to erase",
          async () => (await actions.erase(fact)) && closeDrawer(),
          { class: "solid danger" },
        ),
      ),
  );
}

const choice = (label, name, work, pressed = false) =>
  h("button", { type: "button", class: "choice", "aria-pressed": String(pressed), onclick: work }, icon(name), label);

async function after(work, fact) {
  if (await work) openFact(fact);
}

function editor(fact, mode) {
  const field = h("input", {
    value: fact.value,
    "aria-label": mode === "change" ? "What holds now" : "The right value",
    required: true,
  });
  const told =
    mode === "change"
      ? "It has changed: the old value ends today and stays in the history."
      : "It never was so: the wrong value is retired.";
  const send = async (event) => {
    event.preventDefault();
    const value = field.value.trim();
    if (!value || value === fact.value) return;
    const made = await (mode === "change" ? actions.change(fact, value) : actions.correct(fact, value));
    if (made?.id) openFact(made);
  };
  return h(
    "form",
    { onsubmit: send },
    h("p", { class: "quiet" }, told),
    h(
      "div",
      { class: "line" },
      field,
      h("button", { class: "solid", type: "submit" }, mode === "change" ? "Change" : "Correct"),
    ),
  );
}

function lineage(fact, { items, next }) {
  if (items.length < 2) return null;
  return h(
    "section",
    {},
    h("h3", {}, `${titled(fact.attribute)} over time`),
    h(
      "ol",
      { class: "lineage" },
      [...items].sort((a, b) => Boolean(a.disputes) - Boolean(b.disputes)).map((one) =>
        h(
          "li",
          { class: `${one.id === fact.id ? "this" : ""} ${one.retired ? "never" : ""}` },
          h("button", { type: "button", class: "plain", onclick: () => openFact(one) }, one.value),
          h("span", { class: "quiet" }, one.disputes ? "disputed" : span(one)),
        ),
      ),
    ),
    next && h("p", { class: "quiet" }, `These are the first ${items.length}; there are more.`),
  );
}

function words(fact, messages) {
  if (!messages.length)
    return h(
      "section",
      {},
      h("h3", {}, "Its words"),
      h("p", { class: "quiet" }, "Told directly, not in a conversation."),
    );
  return h(
    "section",
    {},
    h("h3", {}, "Its words"),
    messages.map((message) => {
      const quote = fact.sources.find((source) => source.message === message.id)?.quote;
      const [start, said, rest] = around(message.content, quote);
      return h(
        "blockquote",
        {},
        h("p", {}, start.slice(-300), said && h("mark", {}, said), rest.slice(0, 300)),
        h(
          "footer",
          {},
          `${message.role}, ${day(message.at)}, `,
          h("a", { href: `#/talks/${encodeURIComponent(message.session)}` }, message.session),
        ),
      );
    }),
  );
}

function log(why) {
  return h(
    "section",
    {},
    h("h3", {}, "What happened to it"),
    h(
      "ol",
      { class: "log" },
      why.changes.map((change) =>
        h(
          "li",
          {},
          h("b", {}, change.kind),
          ` ${day(change.at)}`,
          h("p", { class: "quiet" }, change.why),
          actions.mayWrite() &&
            h(
              "button",
              {
                type: "button",
                class: "plain small",
                onclick: () =>
                  after(
                    actions.undoneChange(change).then(() => true),
                    why.fact,
                  ),
              },
              "Undo this",
            ),
        ),
      ),
    ),
  );
}
