// The page: who looks, at whose memory, through which view.

import { attempt, back, toast } from "./actions.js";
import { call, dropKey, events, findKey, here, keepKey, useKey } from "./api.js";
import { closeDrawer } from "./drawer.js";
import { $, h, later, put } from "./dom.js";
import { setMoment } from "./moment.js";
import { show as showSteps } from "./steps.js";
import { countDisputes, Disputes } from "./view_disputes.js";
import { Graph } from "./view_graph.js";
import { arrived, feed, Live } from "./view_live.js";
import { Now } from "./view_now.js";
import { Prompt } from "./view_prompt.js";
import { Talks } from "./view_talks.js";
import { Time } from "./view_time.js";

const VIEWS = { now: Now, time: Time, graph: Graph, talks: Talks, prompt: Prompt, disputes: Disputes, live: Live };
const THEMES = ["", "light", "dark"];
const KEYS = [
  ["1 … 7", "the views, in their order"],
  ["/", "search"],
  ["↑ ↓ or k j", "go through a list"],
  ["Enter", "open what is chosen"],
  ["p", "pin or unpin it"],
  ["e", "change it: it is different now"],
  ["c", "correct it: it never was so"],
  ["x", "end it"],
  ["Delete", "erase it"],
  ["u", "undo what this tab did last"],
  ["Esc", "close, or leave the search"],
  ["?", "this"],
];

let view = null;
let listening = null;
let busy = false;
let again = false;
let disputed = false;

async function start() {
  dress(localStorage.getItem("recollect.theme") || "");
  wire();
  if (!findKey() || !(await enter())) await ask();
}

// Who this key is: its rights, and the owners it reaches.
async function enter() {
  try {
    const who = await call("GET", "/v1/whoami");
    const owners = await call("GET", "/v1/owners");
    keepKey();
    here.rights = who.rights;
    const named = who.owners.filter((owner) => owner !== "*");
    const all = [...new Set([...owners.items, ...named])];
    choose(all.length ? all : ["me"]);
    return true;
  } catch (error) {
    if (error.status === 401) dropKey();
    $("gate-problem").hidden = false;
    $("gate-problem").textContent =
      error.status === 401 ? "This key does not stand. Is it whole, and not revoked?" : error.message;
    return false;
  }
}

function ask() {
  const gate = $("gate");
  gate.showModal();
  gate.addEventListener("cancel", (event) => event.preventDefault());
  gate.querySelector("form").addEventListener("submit", async (event) => {
    event.preventDefault();
    useKey($("key").value);
    if (!(await enter())) return;
    $("key").value = "";
    gate.close();
  });
}

function choose(owners) {
  const kept = sessionStorage.getItem("recollect.owner");
  here.owner = owners.includes(kept) ? kept : owners.includes("me") ? "me" : owners[0];
  put(
    $("owner"),
    owners.map((owner) => h("option", { value: owner, selected: owner === here.owner }, owner)),
  );
  follow();
  show();
  attempt(countDisputes);
}

async function show() {
  const [name, rest] = location.hash.replace(/^#\/?/, "").split("/");
  const kind = VIEWS[name] ? name : "now";
  closeDrawer();
  const given = rest ? decodeURIComponent(rest) : undefined;
  if (view instanceof VIEWS[kind] && kind === "talks")
    return attempt(() => view.show(given ?? view.items?.[0]?.session, Boolean(given)));
  delete $("main").dataset.ready;
  view?.close();
  view = new VIEWS[kind]();
  document.title = `${view.title} · Recollect`;
  for (const link of document.querySelectorAll(".rail a"))
    link.setAttribute("aria-current", link.dataset.view === kind ? "page" : "false");
  $("main").className = `view-${kind}`;
  const opened = view;
  await attempt(() => opened.open($("main"), given));
  if (view === opened) $("main").dataset.ready = kind; // Another may have been asked for meanwhile.
}

// What is shown is asked for anew when something was written: soon, but never again before the last answer is there
// and has been looked at for as long as it took, so that a busy agent and a large memory do not hold each other up.
const refresh = later(150, async () => {
  if (busy) return void (again = true);
  busy = true;
  const begun = performance.now();
  if (view) await attempt(() => view.refresh());
  if (disputed) await attempt(countDisputes);
  disputed = false;
  await new Promise((done) => setTimeout(done, Math.min(performance.now() - begun, 10000)));
  busy = false;
  if (again) refresh();
  again = false;
});

// The stream of changes, begun anew when it breaks.
async function follow() {
  listening?.abort();
  const mine = (listening = new AbortController());
  let after = null;
  let pause = 500;
  while (!mine.signal.aborted) {
    try {
      for await (const event of events(mine.signal, after)) {
        after = event.id;
        pause = 500;
        if (event.name === "hello") state("open");
        if (event.name === "change") arrived(event.data);
        if (event.name === "change" && (event.data.after?.disputes || event.data.before?.disputes)) disputed = true;
        if (event.name === "written") refresh();
      }
    } catch (error) {
      if (mine.signal.aborted) return;
    }
    state("lost");
    await new Promise((done) => setTimeout(done, pause));
    pause = Math.min(pause * 2, 15000);
  }
}

function state(name) {
  feed.state = name;
  document.body.dataset.stream = name;
  if (view instanceof Live && view.list) view.draw();
}

function dress(theme) {
  if (theme) document.documentElement.dataset.theme = theme;
  else delete document.documentElement.dataset.theme;
  localStorage.setItem("recollect.theme", theme);
}

function wire() {
  addEventListener("hashchange", () => {
    if (new URLSearchParams(location.hash.slice(1)).get("key")) location.reload();
    else if (here.owner) show();
  });
  document.addEventListener("changed", () => ((disputed = true), refresh()));
  document.addEventListener("keydown", typed);
  $("search").addEventListener("input", () => {
    if (view instanceof Now) view.search($("search").value);
    else location.hash = "#/now";
  });
  $("owner").addEventListener("change", () => {
    here.owner = $("owner").value;
    sessionStorage.setItem("recollect.owner", here.owner);
    feed.changes = [];
    showSteps();
    setMoment(null);
    follow();
    view?.close();
    view = null;
    show();
    attempt(countDisputes);
  });
  $("moment").addEventListener("click", () => {
    setMoment(null);
    if (view) attempt(() => (view.momentChanged ? view.momentChanged() : view.refresh()));
  });
  $("theme").addEventListener("click", () =>
    dress(THEMES[(THEMES.indexOf(document.documentElement.dataset.theme || "") + 1) % THEMES.length]),
  );
  $("help").addEventListener("click", help);
  $("undo").addEventListener("click", () => back());
  addEventListener(
    "unhandledrejection",
    (event) =>
      event.reason?.name !== "AbortError" && toast(String(event.reason?.message || event.reason), { problem: true }),
  );
}

function help() {
  const box = $("keys");
  put(
    box,
    h("h2", {}, "Keys"),
    h(
      "dl",
      {},
      KEYS.map(([key, about]) => h("div", {}, h("dt", {}, h("kbd", {}, key)), h("dd", {}, about))),
    ),
    h("button", { type: "button", class: "solid", onclick: () => box.close() }, "Close"),
  );
  box.showModal();
}

function typed(event) {
  if (event.key === "Escape") return void (leaveSearch() || closeDrawer());
  if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
  if (event.target.closest("input:not([type=range]):not([type=radio]), textarea, select")) return;
  const order = Object.keys(VIEWS);
  if (event.key === "/") (event.preventDefault(), $("search").focus());
  else if (event.key === "?") help();
  else if (event.key === "u") event.repeat || back();
  else if (order[Number(event.key) - 1]) location.hash = `#/${order[Number(event.key) - 1]}`;
  else if (["ArrowDown", "j"].includes(event.key) && event.target === document.body)
    document.querySelector(".long:not([hidden])")?.focus();
}

function leaveSearch() {
  if (document.activeElement !== $("search")) return false;
  $("search").value = "";
  $("search").dispatchEvent(new Event("input"));
  $("search").blur();
  return true;
}

start();
