// What can be done with a fact, each with a way back.

import { here, post, write } from "./api.js";
import { $, h } from "./dom.js";
import { latest, noted, takenBack, undone } from "./steps.js";

const STAYS = 15000;

export const mayWrite = () => here.rights.includes("write");

export function changed() {
  document.dispatchEvent(new CustomEvent("changed"));
}

export function toast(text, { action, problem } = {}) {
  const close = () => note.remove();
  const press = () => (close(), action.work());
  const button = action && h("button", { type: "button", class: "plain", onclick: press }, action.label);
  const note = h("div", { class: problem ? "toast problem" : "toast" }, h("span", {}, text), button);
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

// One after the other, so that what is taken back is the latest that was asked for, not the latest that was answered.
let last = Promise.resolve();
function inTurn(work) {
  last = last.then(() => attempt(work));
  return last;
}

// Do it, say so, and offer to take it back; `kept` is said where there is nothing to take back.
function done(told, work, kept = told) {
  return inTurn(async () => {
    const given = await work();
    const step = noted(told, given);
    toast(step ? told : kept, { action: step && { label: "Undo", work: () => back(step) } });
    changed();
    return given.data;
  });
}

// Take back a step of this tab, the latest where none is named.
export function back(step) {
  return inTurn(async () => {
    const one = step ?? latest();
    if (!one) return toast("This tab has changed nothing that could be taken back.");
    return told(one.told, await takenBack(one));
  });
}

// Take back a change that was chosen in the log, whoever made it.
export const undoneChange = (change) =>
  inTurn(async () =>
    told(short(change.after?.text || change.before?.text || change.kind), await undone({ owner: change.owner, undo: [change.id] })),
  );

function told(what, again) {
  if (!again) return;
  const redo = () => done(what, () => undone(again));
  toast(`Taken back: ${what}`, { action: again.undo.length ? { label: "Redo", work: redo } : null });
  changed();
}

const short = (text) => (text.length > 60 ? `${text.slice(0, 59)}…` : text);

export const pin = (fact) =>
  done(`${fact.pinned ? "Unpinned" : "Pinned"}: ${short(fact.text)}`, () =>
    write(fact.pinned ? "/unpin" : "/pin", { what: fact.id }),
  );
export const end = (fact) =>
  done(`Ended: ${short(fact.text)}`, () => write("/forget", { what: fact.id, why: "ended in the inspector" }));
export const change = (fact, value) =>
  done(`Changed to ${short(value)}`, () =>
    write("/remember", { key: fact.attribute, value, subject: fact.subject, category: fact.category }),
  );
export const correct = (fact, value) =>
  done(`Put right: ${short(value)}`, () =>
    write("/correct", { what: fact.id, value, why: "corrected in the inspector" }),
  );
export const confirm = (fact) =>
  done(`Confirmed: ${short(fact.text)}`, () =>
    write("/remember", { key: fact.attribute, value: fact.value, subject: fact.subject }),
  );
export const accept = (fact) =>
  done(`Accepted: ${short(fact.text)}`, () => write("/settle", { what: fact.id, holds: true }));
export const reject = (fact) =>
  done(`Rejected: ${short(fact.text)}`, () => write("/settle", { what: fact.id, holds: false }));
export const remember = (key, value) => done(`Remembered: ${short(value ? `${key} is ${value}` : key)}`, () => write("/remember", value ? { key, value } : { key }));
export const tell = (said) =>
  done(`Learned from: ${short(said)}`, () => write("/add", { said, session: "inspector" }), "Kept.");

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
