// What this tab did, so that it can take back that and nothing else: agents and other tabs write to the same memory.

import { here, write } from "./api.js";
import { $ } from "./dom.js";

const done = [];

// Note a write: to whose memory, what was said of it, and the changes that take it back. None where nothing changed.
export function noted(told, { owner, undo }) {
  if (!undo.length) return null;
  const step = { owner, told, undo };
  done.push(step);
  show();
  return step;
}

export const latest = () => done.findLast((step) => step.owner === here.owner);

// Take back a step of this tab; gives what takes that back again. None where it was taken back before.
export async function takenBack(step) {
  const place = done.indexOf(step);
  if (place < 0) return null;
  done.splice(place, 1); // Also where it fails, as someone has changed the same thing since: others can still be taken back.
  show();
  return undone(step);
}

// Undo changes in the memory where they were made, whichever is looked at now; gives what takes that back again.
export async function undone({ owner, undo }) {
  const back = [];
  for (const what of undo) back.unshift(...(await write("/undo", { what }, owner)).undo);
  return { owner, undo: back };
}

// Say on the button what it would take back.
export function show() {
  const step = latest();
  $("undo").hidden = !step;
  $("undo").textContent = step ? `Undo: ${step.told}` : "";
  $("undo").title = step ? `Take back what this tab did last: ${step.told} (u)` : "";
}
