// What can be done with a fact, each with a way back.

import { get, here, post } from "./api.js";
import { $, h } from "./dom.js";

const STAYS = 15000;

export const mayWrite = () => here.rights.includes("write");

export function changed() {
  document.dispatchEvent(new CustomEvent("changed"));
}

export function toast(text, { undo, problem } = {}) {
  const close = () => note.remove();
  const back = undo && h("button", { type: "button", class: "plain", onclick: () => (close(), undone(undo)) }, "Undo");
  const note = h("div", { class: problem ? "toast problem" : "toast" }, h("span", {}, text), back);
  $("toasts").append(note);
  setTimeout(close, STAYS);
}

export async function attempt(work) {
  try {
    return await work();
  } catch (error) {
    if (error.name !== "AbortError") toast(error.message, { problem: true });
    return null;
  }
}

// Do it, say so, and offer to take it back.
async function done(told, work) {
  return attempt(async () => {
    const result = await work();
    const latest = await get("/changes", { limit: 1 });
    toast(told, { undo: latest.items[0]?.id });
    changed();
    return result;
  });
}

export async function undone(what) {
  return attempt(async () => {
    await post("/undo", what ? { what } : {});
    toast("Taken back.");
    changed();
  });
}

const short = (text) => (text.length > 60 ? `${text.slice(0, 59)}…` : text);

export const pin = (fact) =>
  done(`${fact.pinned ? "Unpinned" : "Pinned"}: ${short(fact.text)}`, () =>
    post(fact.pinned ? "/unpin" : "/pin", { what: fact.id }),
  );
export const end = (fact) =>
  done(`Ended: ${short(fact.text)}`, () => post("/forget", { what: fact.id, why: "ended in the inspector" }));
export const change = (fact, value) =>
  done(`Changed to ${short(value)}`, () =>
    post("/remember", { key: fact.attribute, value, subject: fact.subject, category: fact.category }),
  );
export const correct = (fact, value) =>
  done(`Put right: ${short(value)}`, () =>
    post("/correct", { what: fact.id, value, why: "corrected in the inspector" }),
  );
export const confirm = (fact) =>
  done(`Confirmed: ${short(fact.text)}`, () =>
    post("/remember", { key: fact.attribute, value: fact.value, subject: fact.subject }),
  );
export const accept = (fact) =>
  done(`Accepted: ${short(fact.text)}`, () => post(`/disputes/${encodeURIComponent(fact.id)}/accept`));
export const reject = (fact) =>
  done(`Rejected: ${short(fact.text)}`, () => post(`/disputes/${encodeURIComponent(fact.id)}/reject`));
export const remember = (key, value) => done("Remembered.", () => post("/remember", value ? { key, value } : { key }));
export const tell = (said) =>
  attempt(async () => (await post("/add", { said, session: "inspector" }), toast("Kept."), changed(), true));

export const erase = (fact) =>
  attempt(async () => {
    const receipt = await post("/erase", { what: fact.id });
    const proof = receipt.verified ? "a scan of the files found nothing left" : "see the receipt in the log";
    toast(`Erased for good: ${receipt.facts} fact, ${receipt.messages} messages; ${proof}.`);
    changed();
    return receipt;
  });

// A button that asks once more, in its own place, before it does what cannot be undone; until one turns to something else.
export function twice(label, sure, work, props = {}) {
  const arm = () => {
    made.dataset.armed = "yes";
    made.textContent = sure;
  };
  const calm = () => {
    delete made.dataset.armed;
    made.textContent = label;
  };
  const press = () => (made.dataset.armed ? work() : arm());
  const made = h("button", { type: "button", ...props, onclick: press, onblur: calm }, label);
  return made;
}
