// Time: each attribute a row, each value a bar from its beginning to its end; a slider asks for any moment.

import { attempt } from "./actions.js";
import { here, rows } from "./api.js";
import { h, later, put } from "./dom.js";
import { openFact } from "./drawer.js";
import { LongList } from "./list.js";
import { momentSlider, setMoment } from "./moment.js";
import { clock, day, hue, many, span } from "./words.js";

const PAGE = 200;
const LANE = 30;
const STEPS = 1000;
const DAY = 86400000;

export class Time {
  title = "Time";

  async open(place) {
    this.list = new LongList({
      label: "Life-lines",
      more: () => this.more(),
      choose: (key, row) => key === "Enter" && (openFact(row.item), true),
    });
    this.slider = momentSlider(
      STEPS,
      () => this.slid(),
      () => this.settle(),
    );
    this.said = h("output", { class: "asof" });
    this.back = h("button", { type: "button", class: "plain", onclick: () => this.now() }, "Back to now");
    this.told = h("p", { class: "quiet" });
    this.place = place;
    this.axis = h("div", { class: "axis", "aria-hidden": "true" });
    this.lesson = h("div");
    this.needle = h("div", { class: "needle", "aria-hidden": "true" });
    put(
      place,
      h("header", { class: "head" }, h("h1", {}, "Life-lines"), this.told),
      h("div", { class: "timebar" }, this.clocks(), h("div", { class: "slide" }, this.slider), this.said, this.back),
      this.lesson,
      h("div", { class: "lines" }, this.axis, this.needle, this.list.element),
      h(
        "p",
        { class: "legend quiet" },
        h("i", { class: "begins" }),
        "begins",
        h("i", { class: "told" }),
        "told; since when is not known",
        h("i", { class: "over" }),
        "over",
        h("i", { class: "disputed" }),
        "disputed",
        h("i", { class: "never" }),
        "put right",
      ),
    );
    await this.refresh();
  }

  clocks() {
    const choice = (name, label, about) =>
      h(
        "label",
        { title: about },
        h("input", {
          type: "radio",
          name: "clock",
          value: name,
          checked: here.clock === name,
          onchange: () => this.turn(name),
        }),
        h("span", {}, label),
      );
    return h(
      "fieldset",
      { class: "switch" },
      h("legend", { class: "unseen" }, "Which clock"),
      choice("at", "True then", "When it was so in the world"),
      choice("known_at", "Believed then", "When we knew of it"),
    );
  }

  async refresh() {
    await this.load(Math.max(PAGE, this.facts?.length || 0));
  }

  async more() {
    if (this.next && !this.loading)
      await attempt(() => this.load(this.facts.length + 1, { items: this.facts, next: this.next }));
  }

  async load(wanted, before) {
    this.loading = true;
    try {
      const found = await rows("/lines", { limit: PAGE }, wanted, before);
      [this.facts, this.next] = [found.items, found.next];
    } finally {
      this.loading = false;
    }
    this.draw();
  }

  turn(name) {
    here.clock = name;
    setMoment(here.moment);
    this.draw();
  }

  window(fact) {
    if (here.clock === "known_at") return [new Date(fact.learned), fact.retired ? new Date(fact.retired) : null];
    const never = fact.retired && !fact.until;
    return [
      fact.since ? new Date(fact.since) : null,
      fact.until ? new Date(fact.until) : never ? new Date(fact.retired) : null,
    ];
  }

  draw() {
    this.place.classList.toggle("empty", !this.facts.length);
    if (!this.facts.length) {
      this.told.textContent = "Nothing has happened yet.";
      put(this.lesson, lesson());
      return;
    }
    put(this.lesson);
    this.span = this.reach();
    const lines = linesOf(this.facts);
    const size = `${many(lines.length, "attribute")}, ${many(this.facts.length, "value")}`;
    const meaning = here.clock === "at" ? "When it was so in the world." : "When it was known.";
    this.told.textContent = `${size}${this.next ? ", older ones as you scroll" : ""}. ${meaning}`;
    put(
      this.axis,
      ticks(this.span, this.axis.clientWidth).map(([at, label]) => h("span", { style: { left: this.left(at) } }, label)),
    );
    this.point();
    this.lines = lines;
    this.list.set(
      lines.map((line) => ({
        key: line.key,
        height: Math.max(1, laid(line.facts, this).lanes) * LANE + 16,
        item: line.facts[0],
        draw: () => this.line(line),
      })),
    );
  }

  // From the first beginning to a little after now, or to the last plan.
  reach() {
    const moments = this.facts
      .flatMap((fact) => [...this.window(fact), new Date(here.clock === "at" ? fact.said : fact.learned)])
      .filter(Boolean)
      .map(Number);
    const first = Math.min(...moments);
    const last = Math.max(Date.now(), ...moments);
    const room = Math.max(last - first, DAY) * 0.04;
    return [first - room, last + room];
  }

  left(at) {
    const [first, last] = this.span;
    return `${((at - first) / (last - first)) * 100}%`;
  }

  line(line) {
    const { placed, lanes } = laid(line.facts, this);
    return h(
      "div",
      { class: "life" },
      h(
        "div",
        { class: "name" },
        h("b", {}, line.attribute),
        h("small", {}, line.subject === "user" ? "" : line.subject),
      ),
      h(
        "div",
        { class: "track", style: { "--lanes": lanes } },
        placed.map(({ fact, from, to, lane }) => this.bar(fact, from, to, lane)),
      ),
    );
  }

  bar(fact, from, to, lane) {
    const [first, last] = this.span;
    const open = from === null;
    const start = Math.max(from ?? first, first);
    const stop = Math.min(to ?? last, last);
    const moment = here.moment ? Number(here.moment) : Date.now();
    const holds = start <= moment && moment < (to ?? Infinity) && !(here.clock === "at" && fact.retired);
    const state = [
      fact.retired ? "never" : to !== null && to <= Date.now() ? "over" : "",
      fact.disputes ? "disputed" : "",
      open ? "open" : "",
      holds ? "holds" : "",
    ];
    const told = Math.min(stop, Math.max(start, Number(new Date(fact.said))));
    return h(
      "button",
      {
        type: "button",
        class: `bar ${hue(fact.category)} ${state.join(" ")}`,
        title: `${fact.text}, ${span(fact)}`,
        onclick: () => openFact(fact),
        style: {
          left: this.left(start),
          width: `${((stop - start) / (last - first)) * 100}%`,
          "--lane": lane,
          "--told": `${((told - start) / Math.max(1, stop - start)) * 100}%`,
        },
      },
      h("span", {}, fact.value),
    );
  }

  slid() {
    const [first, last] = this.span;
    const share = this.slider.value / STEPS;
    setMoment(share >= 0.999 ? null : new Date(first + (last - first) * share));
    this.point();
    this.recolour();
  }

  settle() {
    document.dispatchEvent(new CustomEvent("moment"));
  }

  recolour = later(16, () => {
    for (const element of this.list.drawn.values()) element.remove();
    this.list.drawn.clear();
    this.list.draw();
  });

  now() {
    setMoment(null);
    this.draw();
  }

  momentChanged() {
    this.draw();
  }

  // The needle and the words beside the slider, for the moment that is asked for.
  point() {
    const [first, last] = this.span;
    const moment = here.moment ? Number(here.moment) : Date.now();
    const share = Math.min(1, Math.max(0, (moment - first) / (last - first)));
    if (document.activeElement !== this.slider) this.slider.value = here.moment ? Math.round(share * STEPS) : STEPS;
    this.needle.style.setProperty("--at", share);
    this.needle.dataset.now = here.moment ? "" : "yes";
    this.said.textContent = here.moment ? clock(here.moment) : "Now";
    this.back.hidden = !here.moment;
  }

  close() {
    this.place.classList.remove("empty");
    this.list.close();
  }
}

const lesson = () =>
  h(
    "section",
    { class: "teach" },
    h("h2", {}, "Every attribute gets a line"),
    h(
      "p",
      {},
      "Each value is a bar from its beginning to its end: told “I live in Rome” and later “I moved to Porto”, the one ends where the other begins. The slider then asks for any moment in between.",
    ),
    h("p", {}, h("a", { href: "#/now" }, "Tell it something in Now")),
  );

function linesOf(facts) {
  const lines = new Map();
  for (const fact of facts) {
    const key = `${fact.subject}\n${fact.attribute}`;
    if (!lines.has(key)) lines.set(key, { key, subject: fact.subject, attribute: fact.attribute, facts: [] });
    lines.get(key).facts.push(fact);
  }
  const changes = (line) => line.facts.length;
  return [...lines.values()].sort(
    (a, b) =>
      (b.subject === "user") - (a.subject === "user") || a.subject.localeCompare(b.subject) || changes(b) - changes(a),
  );
}

// Values that are so at the same time lie below each other.
function laid(facts, view) {
  const ends = [];
  const placed = facts
    .map((fact) => ({ fact, from: view.window(fact)[0], to: view.window(fact)[1] }))
    .map(({ fact, from, to }) => ({ fact, from: from && Number(from), to: to && Number(to) }))
    .sort((a, b) => Boolean(a.fact.disputes) - Boolean(b.fact.disputes) || (a.from ?? 0) - (b.from ?? 0));
  for (const one of placed) {
    const lane = ends.findIndex((end) => end <= (one.from ?? -Infinity));
    one.lane = lane >= 0 ? lane : ends.length;
    ends[one.lane] = one.to ?? Infinity;
  }
  return { placed, lanes: ends.length };
}

// Moments to write above the lines, as many as have room.
function ticks([first, last], wide) {
  const years = (last - first) / (365 * DAY);
  const most = Math.max(2, Math.min(8, Math.floor(wide / 84)));
  const found = [];
  const at = new Date(first);
  if (years > 2.5) {
    const step = Math.max(1, Math.ceil(years / most));
    for (let year = at.getUTCFullYear() + 1; Date.UTC(year, 0) < last; year += step)
      found.push([Date.UTC(year, 0), String(year)]);
  } else if (years > 0.15) {
    const step = Math.max(1, Math.ceil((years * 12) / most));
    for (let month = at.getUTCMonth() + 1; Date.UTC(at.getUTCFullYear(), month) < last; month += step) {
      const moment = new Date(Date.UTC(at.getUTCFullYear(), month));
      found.push([
        Number(moment),
        moment.toLocaleDateString("en-GB", {
          month: "short",
          year: moment.getUTCMonth() === 0 || !found.length ? "numeric" : undefined,
          timeZone: "UTC",
        }),
      ]);
    }
  } else {
    const told = years < 0.02 ? (moment) => moment.toISOString().slice(11, 16) : day;
    for (let share = 0.1; share < 1; share += Math.max(0.27, 1 / most))
      found.push([first + (last - first) * share, told(new Date(first + (last - first) * share))]);
  }
  return found.filter(([moment]) => moment < last - ((last - first) * 40) / Math.max(wide, 200));
}
