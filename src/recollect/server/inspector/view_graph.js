// Graph: subjects and the facts between them, as of the moment that is looked at.

import { asOf, get, here } from "./api.js";
import { h, later, put, svg } from "./dom.js";
import { openFact } from "./drawer.js";
import { sentence } from "./facts.js";
import { momentSlider, setMoment } from "./moment.js";
import { clock, hue, many, span, titled } from "./words.js";

const WIDE = 1000;
const HIGH = 640;
const ROUNDS = 260;
const STEPS = 400;
const MOST = 50; // subjects that can be told apart in one picture

export class Graph {
  title = "Graph";

  async open(place) {
    this.told = h("p", { class: "quiet" });
    this.picture = svg("svg", {
      class: "net",
      role: "group",
      "aria-label": "Subjects and the facts between them",
    });
    this.side = h(
      "section",
      { class: "side", "aria-live": "polite" },
      h("p", { class: "quiet" }, "Choose a subject to see what is known about it."),
    );
    this.slider = momentSlider(STEPS, () => this.slid());
    this.place = place;
    this.said = h("output", { class: "asof" });
    this.back = h(
      "button",
      { type: "button", class: "plain", onclick: () => (setMoment(null), this.refresh()) },
      "Back to now",
    );
    put(
      place,
      h("header", { class: "head" }, h("h1", {}, "Graph"), this.told),
      h("div", { class: "timebar" }, h("div", { class: "slide" }, this.slider), this.said, this.back),
      h("div", { class: "netbox" }, this.picture, this.side),
    );
    this.watch = new ResizeObserver(() => this.draw());
    this.watch.observe(this.picture);
    const { items } = await get("/lines", { limit: 200 });
    const moments = items
      .flatMap((fact) => [fact.since, fact.said])
      .filter(Boolean)
      .map((one) => Number(new Date(one)));
    this.first = Math.min(Date.now() - 86400000, ...moments) - 86400000;
    await this.refresh();
  }

  slid() {
    const share = this.slider.value / STEPS;
    setMoment(share >= 1 ? null : new Date(this.first + (Date.now() - this.first) * share));
    this.say();
    this.soon();
  }

  soon = later(120, () => this.refresh());

  say() {
    this.said.textContent = here.moment ? clock(here.moment) : "Now";
    this.back.hidden = !here.moment;
    if (document.activeElement !== this.slider)
      this.slider.value = here.moment
        ? ((Number(here.moment) - this.first) / (Date.now() - this.first)) * STEPS
        : STEPS;
  }

  momentChanged() {
    this.refresh();
  }

  async refresh() {
    this.say();
    const found = await get("/map", { limit: MOST, ...asOf() });
    const left = found.left_out ? `, ${many(found.left_out, "smaller one")} left out` : "";
    const newest = found.newest_only ? " It is drawn from the newest facts, and from those that name someone." : "";
    const size = `${many(found.subjects.length, "subject")} and ${many(found.edges.length, "fact")}`;
    this.told.textContent = found.subjects.length ? `${size} between them${left}.${newest}` : "Nothing is known.";
    this.place.classList.toggle("empty", !found.subjects.length && !here.moment);
    this.nodes = laidOut(found.subjects, found.edges, this.nodes);
    this.edges = found.edges;
    this.draw();
  }

  // A unit of the picture is a pixel, so that names are as large on a phone as on a wall.
  draw() {
    if (!this.nodes) return;
    const { clientWidth: wide, clientHeight: high } = this.picture;
    const nodes = fitted(this.nodes, wide || WIDE, high || HIGH);
    const named = new Map(nodes.map((node) => [node.name, node]));
    const edges = this.edges;
    this.picture.setAttribute("viewBox", `0 0 ${wide || WIDE} ${high || HIGH}`);
    put(
      this.picture,
      svg(
        "g",
        { class: "edges" },
        edges.map((edge) => edgeOf(edge, named, edges.length < 45)),
      ),
      svg(
        "g",
        { class: "nodes" },
        nodes.map((node) => this.node(node)),
      ),
    );
    if (!nodes.length) put(this.side, here.moment ? h("p", { class: "quiet" }, "Nothing was known then.") : lesson());
  }

  node(node) {
    const { size } = node;
    const name = node.name === "user" ? titled(here.owner) : node.name;
    const open = () => this.show(node.name);
    return svg(
      "g",
      {
        class: `node ${hue(node.name)} ${node.name === "user" ? "me" : ""}`,
        transform: `translate(${node.x} ${node.y})`,
        tabindex: "0",
        role: "button",
        "aria-label": `${name}, ${many(node.facts, "fact")}`,
        onclick: open,
        onkeydown: (event) => (event.key === "Enter" || event.key === " ") && (event.preventDefault(), open()),
      },
      svg("circle", { r: size }),
      svg("text", { y: size + 15 }, name.length > 26 ? `${name.slice(0, 25)}…` : name),
      node.facts > 1 && svg("text", { class: "count", y: 4 }, node.facts),
    );
  }

  async show(name) {
    const { items, next } = await get("/known", { subject: name, limit: 60, ...asOf() });
    put(
      this.side,
      h("h2", {}, name === "user" ? titled(here.owner) : titled(name)),
      h("p", { class: "quiet" }, next ? `The newest ${many(items.length, "fact")}` : many(items.length, "fact")),
      h(
        "ul",
        { class: "plainlist" },
        items.map((fact) =>
          h(
            "li",
            { class: hue(fact.category) },
            h("button", { type: "button", class: "plain", onclick: () => openFact(fact) }, sentence(fact)),
            h("small", {}, span(fact)),
          ),
        ),
      ),
    );
  }

  close() {
    this.place.classList.remove("empty");
    this.watch.disconnect();
  }
}

const lesson = () =>
  h(
    "div",
    { class: "teach" },
    h("h2", {}, "People and things, and what is between them"),
    h("p", {}, "Told “my sister Anna lives in Berlin”, you and your sister stand here, joined by a line that can be opened."),
    h("p", {}, h("a", { href: "#/now" }, "Tell it something in Now")),
  );

// The plane spread over the room there is, with place for names at its rim.
function fitted(nodes, wide, high) {
  const xs = spread(nodes.map((node) => node.x), wide, Math.min(90, wide * 0.14));
  const ys = spread(nodes.map((node) => node.y), high, 52);
  const small = Math.min(1, Math.max(0.6, wide / 760));
  return nodes.map((node, place) => ({ ...node, x: xs[place], y: ys[place], size: radius(node) * small }));
}

function spread(values, room, rim) {
  const [first, last] = [Math.min(...values), Math.max(...values)];
  const scale = Math.min(1.6, (room - 2 * rim) / Math.max(last - first, 1));
  return values.map((value) => room / 2 + (value - (first + last) / 2) * scale);
}

const radius = (node) => (node.name === "user" ? 32 : 14 + Math.min(16, Math.sqrt(node.facts) * 4));

function edgeOf(edge, named, labelled) {
  const from = named.get(edge.subject);
  const to = named.get(edge.object);
  if (!from || !to || from === to) return null;
  const middle = [(from.x + to.x) / 2, (from.y + to.y) / 2];
  const bend = [middle[0] + (to.y - from.y) * 0.08, middle[1] - (to.x - from.x) * 0.08];
  const open = () => openFact(edge.fact);
  return svg(
    "g",
    {
      class: `edge ${hue(edge.fact.category)} ${edge.fact.disputes ? "disputed" : ""}`,
      tabindex: "0",
      role: "button",
      "aria-label": edge.fact.text,
      onclick: open,
      onkeydown: (event) => event.key === "Enter" && open(),
    },
    svg("path", { class: "grip", d: `M${from.x} ${from.y}Q${bend[0]} ${bend[1]} ${to.x} ${to.y}` }),
    svg("path", { d: `M${from.x} ${from.y}Q${bend[0]} ${bend[1]} ${to.x} ${to.y}` }),
    labelled &&
      Math.hypot(to.x - from.x, to.y - from.y) - from.size - to.size > edge.attribute.length * 7 &&
      svg("text", { x: (middle[0] + bend[0]) / 2, y: (middle[1] + bend[1]) / 2 - 4 }, edge.attribute.slice(0, 24)),
    svg("title", {}, edge.fact.text),
  );
}

// Subjects push each other away, facts pull them together; those that were there stay near where they were.
function laidOut(subjects, edges, earlier) {
  const before = new Map(earlier?.map((node) => [node.name, node]));
  const nodes = subjects.map((subject, place) => {
    const old = before.get(subject.name);
    const turn = place * 2.399963;
    const far = 60 + 26 * Math.sqrt(place);
    return {
      ...subject,
      x: old?.x ?? WIDE / 2 + Math.cos(turn) * far,
      y: old?.y ?? HIGH / 2 + Math.sin(turn) * far * 0.72,
    };
  });
  const named = new Map(nodes.map((node) => [node.name, node]));
  const pulls = edges
    .map((edge) => [named.get(edge.subject), named.get(edge.object)])
    .filter(([a, b]) => a && b && a !== b);
  const rest = nodes.length > 40 ? 84 : 104;
  for (let round = 0; round < ROUNDS; round++) relax(nodes, pulls, rest, 1 - round / ROUNDS);
  return nodes;
}

function relax(nodes, pulls, rest, heat) {
  for (const node of nodes) node.dx = node.dy = 0;
  for (let i = 0; i < nodes.length; i++)
    for (let j = i + 1; j < nodes.length; j++) {
      const [a, b] = [nodes[i], nodes[j]];
      const x = a.x - b.x || 0.1 * (i - j);
      const y = a.y - b.y || 0.1;
      const push = (rest * rest * 0.3) / (x * x + y * y);
      a.dx += x * push;
      a.dy += y * push;
      b.dx -= x * push;
      b.dy -= y * push;
    }
  for (const [a, b] of pulls) {
    const far = Math.hypot(b.x - a.x, b.y - a.y) || 1;
    const pull = ((far - rest) / far) * 0.25;
    const [x, y] = [(b.x - a.x) * pull, (b.y - a.y) * pull];
    a.dx += x;
    a.dy += y;
    b.dx -= x;
    b.dy -= y;
  }
  for (const node of nodes) {
    node.dx += (WIDE / 2 - node.x) * (node.name === "user" ? 0.2 : 0.015);
    node.dy += (HIGH / 2 - node.y) * (node.name === "user" ? 0.2 : 0.03);
    const size = Math.hypot(node.dx, node.dy) || 1;
    const step = Math.min(size, 26 * heat + 0.5);
    node.x += (node.dx / size) * step;
    node.y += (node.dy / size) * step * 0.85;
  }
}
