// Prompt: a question, the block that would go into the window, what it costs, and why something is not in it.

import { asOf, post } from "./api.js";
import { attempt } from "./actions.js";
import { h, later, put } from "./dom.js";
import { number } from "./words.js";

const LEAST = 50;
const MOST = 4000;
const STEPS = 200;

export class Prompt {
  title = "Prompt";

  async open(place) {
    this.question = h("textarea", {
      rows: 2,
      placeholder: "Book me a flight to Lisbon",
      "aria-label": "A question",
      oninput: () => this.soon(),
    });
    this.slider = h("input", {
      type: "range",
      min: 0,
      max: STEPS,
      value: toStep(400),
      "aria-label": "Budget of tokens",
      oninput: () => this.soon(),
    });
    this.budget = h("output", {});
    this.result = h("div", { class: "result", "aria-live": "polite" });
    this.answer = h("div", { class: "because" });
    put(
      place,
      h(
        "header",
        { class: "head" },
        h("h1", {}, "Prompt"),
        h("p", { class: "quiet" }, "Ask as your user would, and see what an agent's window would get."),
      ),
      h(
        "div",
        { class: "promptbox" },
        h(
          "div",
          { class: "ask" },
          this.question,
          h("label", { class: "budget" }, h("span", {}, "Budget"), this.slider, this.budget),
        ),
        this.result,
        this.whyNot(),
      ),
    );
    await this.refresh();
    this.question.focus({ preventScroll: true });
  }

  tokens() {
    return Math.round((LEAST * (MOST / LEAST) ** (this.slider.value / STEPS)) / 10) * 10;
  }

  soon = later(140, () => attempt(() => this.refresh()));

  momentChanged() {
    this.refresh();
  }

  async refresh() {
    const budget = this.tokens();
    this.budget.textContent = `${number(budget)} tokens`;
    this.asking?.abort();
    this.asking = new AbortController();
    const query = this.question.value.trim() || null;
    const context = await post("/context", { query, budget, ...asOf() }, this.asking.signal).catch((error) => {
      if (error.name !== "AbortError") throw error;
    });
    if (context) this.show(context, query);
  }

  show(context, query) {
    const history = Math.max(context.history_tokens, context.tokens, 1);
    const saved = Math.max(0, 1 - context.tokens / history);
    put(
      this.result,
      h(
        "div",
        { class: "cost" },
        gauge("In the window", context.tokens, history, "small"),
        gauge("The whole history", context.history_tokens, history, "whole"),
        h(
          "p",
          {},
          !context.history_tokens
            ? "Nothing was said so far, so there is nothing to put in. "
            : saved > 0.005
            ? [h("b", {}, `${percent(saved)} %`), " less than everything that was said. "]
            : "Little was said so far: this costs as much as all of it. ",
          h("span", { class: "quiet" }, `Counted in ${context.counted_by || "tokens"}.`),
        ),
      ),
      context.stable && part("Always there, cached between turns", context.stable),
      context.volatile && part("For this question", context.volatile),
      !context.stable &&
        !context.volatile &&
        h(
          "p",
          { class: "nothing" },
          query ? "Nothing relevant is remembered, so nothing is put in." : "Nothing is pinned. Type a question.",
        ),
      context.left_out.length > 0 &&
        h(
          "section",
          { class: "leftout" },
          h("h3", {}, `Left out: ${context.left_out.length}`),
          h(
            "ol",
            {},
            context.left_out.map((hit) =>
              h(
                "li",
                {},
                (hit.record.text ?? hit.record.content).slice(0, 160),
                h("small", {}, `score ${hit.score.toFixed(2)}, ${hit.why}`),
              ),
            ),
          ),
        ),
    );
  }

  whyNot() {
    const field = h("input", { placeholder: "home, or a fact's id", "aria-label": "What is missing" });
    const ask = (event) => {
      event.preventDefault();
      const query = this.question.value.trim();
      if (!query || !field.value.trim())
        return void put(this.answer, h("p", { class: "quiet" }, "Ask a question above, and name what you miss."));
      attempt(async () => {
        const found = await post("/why-not", { query, what: field.value.trim(), limit: 50, ...asOf() });
        put(
          this.answer,
          h("p", {}, found.headline),
          h(
            "ul",
            {},
            found.steps.map((step) => h("li", {}, step)),
          ),
        );
      });
    };
    return h(
      "section",
      { class: "whynot" },
      h("h3", {}, "Do you miss something?"),
      h("form", { class: "line", onsubmit: ask }, field, h("button", { type: "submit", class: "solid" }, "Why not")),
      this.answer,
    );
  }

  close() {
    this.asking?.abort();
  }
}

const toStep = (tokens) => Math.round((Math.log(tokens / LEAST) / Math.log(MOST / LEAST)) * STEPS);
const part = (title, text) => h("section", { class: "block" }, h("h3", {}, title), h("pre", { tabindex: "0" }, text));
const gauge = (label, tokens, most, kind) =>
  h(
    "div",
    { class: `gauge ${kind}` },
    h("span", {}, label),
    h("i", {}, h("u", { style: { width: `${Math.max(0.4, (tokens / most) * 100)}%` } })),
    h("b", {}, number(tokens)),
  );

// A share in per cent, never rounded up to all of it.
const percent = (share) => (share > 0.99 ? Math.floor(share * 1000) / 10 : Math.round(share * 100));
