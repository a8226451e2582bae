// Elements from plain calls. Text only ever becomes a text node, so that no stored word can become markup.

const SVG = "http://www.w3.org/2000/svg";

export function h(tag, props = {}, ...children) {
  return fill(document.createElement(tag), props, children);
}

export function svg(tag, props = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), props, children);
}

function fill(element, props, children) {
  for (const [name, value] of Object.entries(props)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "style") for (const [key, one] of Object.entries(value)) element.style.setProperty(key, one);
    else if (name === "data") Object.assign(element.dataset, value);
    else if (name === "value") element.value = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
  add(element, children);
  return element;
}

export function add(element, children) {
  for (const child of children.flat(Infinity)) {
    if (child === null || child === undefined || child === false) continue;
    element.append(child instanceof Node ? child : document.createTextNode(String(child)));
  }
  return element;
}

export function put(element, ...children) {
  element.replaceChildren();
  return add(element, children);
}

export const $ = (id) => document.getElementById(id);

// Icons of the actions: path data only.
const PATHS = {
  pin: "M7 3h6l-1 5 3 3H5l3-3zM10 11v6",
  edit: "M4 16l1-4 8-8 3 3-8 8zM11 6l3 3",
  correct: "M4 10l4 4 8-9",
  end: "M4 10h9M13 4v12M16 4v12",
  erase: "M5 6h10M8 6V4h4v2M6 6l1 11h6l1-11",
  undo: "M8 5 4 9l4 4M4 9h7a5 5 0 0 1 0 8",
  close: "M5 5l10 10M15 5 5 15",
  why: "M7.5 7.5a2.5 2.5 0 1 1 3.5 2.3c-.8.4-1 1-1 1.9M10 15v.2",
};

export function icon(name) {
  return svg("svg", { viewBox: "0 0 20 20", "aria-hidden": "true" }, svg("path", { d: PATHS[name] }));
}

export function button(label, name, onclick, props = {}) {
  const { class: extra = "", ...rest } = props;
  return h(
    "button",
    { type: "button", class: `act ${extra}`, title: label, "aria-label": label, onclick, ...rest },
    icon(name),
  );
}

export function later(delay, work) {
  let timer;
  return (...given) => {
    clearTimeout(timer);
    timer = setTimeout(() => work(...given), delay);
  };
}
