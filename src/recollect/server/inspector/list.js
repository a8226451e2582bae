// A long list of which only what is in view exists. Rows say their height before they are drawn.

import { h } from "./dom.js";

const BEYOND = 400;

export class LongList {
  constructor({ label, more, choose }) {
    this.rows = [];
    this.tops = [0];
    this.more = more;
    this.choose = choose;
    this.drawn = new Map();
    this.at = -1;
    this.space = h("div", { class: "space", role: "list" });
    this.element = h(
      "div",
      {
        class: "long",
        tabindex: "0",
        role: "group",
        "aria-label": label,
        onscroll: () => this.soon(),
        onkeydown: (event) => this.key(event),
      },
      this.space,
    );
    this.watch = new ResizeObserver(() => this.soon());
    this.watch.observe(this.element);
  }

  // New rows, with what is at the top of the view staying where it is.
  set(rows) {
    const anchor = this.anchor();
    const chosen = this.rows[this.at]?.key;
    this.rows = rows;
    this.tops = [0];
    for (const row of rows) this.tops.push(this.tops.at(-1) + row.height);
    this.space.style.setProperty("height", `${this.tops.at(-1)}px`);
    this.at = chosen === undefined ? -1 : rows.findIndex((row) => row.key === chosen);
    for (const element of this.drawn.values()) element.remove();
    this.drawn.clear();
    if (anchor) {
      const place = rows.findIndex((row) => row.key === anchor.key);
      if (place >= 0) this.element.scrollTop = this.tops[place] + anchor.offset;
    }
    this.draw();
  }

  anchor() {
    if (!this.rows.length || this.element.scrollTop === 0) return null;
    const place = this.find(this.element.scrollTop);
    return { key: this.rows[place].key, offset: this.element.scrollTop - this.tops[place] };
  }

  find(top) {
    let low = 0;
    let high = this.rows.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.tops[middle] <= top) low = middle;
      else high = middle - 1;
    }
    return Math.max(low, 0);
  }

  soon() {
    if (this.waits) return;
    this.waits = true;
    requestAnimationFrame(() => {
      this.waits = false;
      this.draw();
    });
  }

  draw() {
    if (!this.rows.length) return;
    const top = this.element.scrollTop;
    const bottom = top + this.element.clientHeight;
    const first = this.find(Math.max(0, top - BEYOND));
    const last = this.find(bottom + BEYOND);
    for (const [place, element] of this.drawn) {
      if (place >= first && place <= last) continue;
      element.remove();
      this.drawn.delete(place);
    }
    for (let place = first; place <= last; place++) if (!this.drawn.has(place)) this.drawRow(place);
    if (bottom + BEYOND * 2 > this.tops.at(-1) && this.more) this.more();
  }

  drawRow(place) {
    const element = this.rows[place].draw();
    element.style.setProperty("transform", `translateY(${this.tops[place]}px)`);
    element.style.setProperty("height", `${this.rows[place].height}px`);
    element.classList.add("row");
    element.setAttribute("role", "listitem");
    element.classList.toggle("chosen", place === this.at);
    const next = [...this.drawn.keys()].filter((one) => one > place).sort((a, b) => a - b)[0];
    this.space.insertBefore(element, next === undefined ? null : this.drawn.get(next));
    this.drawn.set(place, element);
  }

  key(event) {
    if (event.target !== this.element) return;
    const step = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 }[event.key];
    if (step) {
      event.preventDefault();
      this.move(step);
    } else if (this.at >= 0 && this.choose?.(event.key, this.rows[this.at])) event.preventDefault();
  }

  move(step) {
    let place = this.at;
    do place += step;
    while (this.rows[place] && !this.rows[place].item);
    if (!this.rows[place]) return;
    this.drawn.get(this.at)?.classList.remove("chosen");
    this.at = place;
    const top = this.tops[place];
    const view = this.element;
    if (top < view.scrollTop + 48) view.scrollTop = top - 48;
    else if (top + this.rows[place].height > view.scrollTop + view.clientHeight)
      view.scrollTop = top + this.rows[place].height - view.clientHeight;
    this.draw();
    this.drawn.get(place)?.classList.add("chosen");
  }

  close() {
    this.watch.disconnect();
  }
}
