// The service, as this page asks it. The key is kept for this tab and goes nowhere but into one header.

const KEPT = "recollect.key";

export const here = { owner: "", rights: [], moment: null, clock: "at" };

let token = null;

export class Problem extends Error {
  constructor(status, detail) {
    super(detail);
    this.status = status;
  }
}

// The key from the fragment, which a browser never sends, or the one that was given before in this tab.
export function findKey() {
  const found = new URLSearchParams(location.hash.slice(1)).get("key");
  if (found) history.replaceState(null, "", location.pathname + "#/now");
  token = found || sessionStorage.getItem(KEPT);
  return token;
}

export function useKey(given) {
  token = given.trim();
}

export function keepKey() {
  sessionStorage.setItem(KEPT, token);
}

export function dropKey() {
  token = null;
  sessionStorage.removeItem(KEPT);
}

function headers(more) {
  return { authorization: `Bearer ${token}`, ...more };
}

export const call = async (...asked) => (await ask(...asked)).data;

async function ask(method, path, { params, body, signal } = {}) {
  const query = new URLSearchParams(
    Object.entries(params || {}).filter(([, value]) => value !== null && value !== undefined && value !== ""),
  );
  const given = { method, signal, headers: headers(), cache: "no-store", credentials: "omit" };
  if (body !== undefined) {
    given.body = JSON.stringify(body);
    given.headers = headers({ "content-type": "application/json", "idempotency-key": mark() });
  }
  const answer = await fetch(path + (query.size ? `?${query}` : ""), given);
  const data = await answer.json().catch(() => ({}));
  if (!answer.ok)
    throw new Problem(answer.status, data.detail || data.title || `The service answered ${answer.status}.`);
  const undo = (answer.headers.get("recollect-undo") || "").split(", ").filter(Boolean);
  return { data, undo };
}

function mark() {
  return [...crypto.getRandomValues(new Uint8Array(12))].map((one) => one.toString(16).padStart(2, "0")).join("");
}

const mine = (path) => `/v1/owners/${encodeURIComponent(here.owner)}${path}`;
export const get = (path, params, signal) => call("GET", mine(path), { params, signal });
export const post = (path, body = {}, signal) => call("POST", mine(path), { body, signal });
// What a write gave, the changes by which it can be taken back, and in whose memory.
export async function write(path, body = {}, owner = here.owner) {
  return { owner, ...(await ask("POST", `/v1/owners/${encodeURIComponent(owner)}${path}`, { body })) };
}

// Rows of a list in pages, at least so many of them: begun anew, or going on after those that are there.
export async function rows(path, params, wanted, before = { items: [], next: null }) {
  const held = new Map(before.items.map((row) => [row.id, row]));
  let next = before.next;
  do {
    const page = await get(path, { ...params, cursor: next });
    for (const row of page.items) held.set(row.id, row);
    next = page.next;
  } while (next && held.size < wanted);
  return { items: [...held.values()], next };
}

// The moment that is looked at, as the service takes it: nothing when it is now.
export function asOf() {
  return here.moment ? { [here.clock]: here.moment.toISOString() } : {};
}

// Changes as they happen. EventSource cannot send a key, so that the stream is read by hand.
export async function* events(signal, after) {
  const given = headers(after ? { "last-event-id": after } : {});
  const answer = await fetch(mine("/events"), { headers: given, signal, cache: "no-store", credentials: "omit" });
  if (!answer.ok) throw new Problem(answer.status, "The stream of changes is not there.");
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let held = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    held += value;
    const parts = held.split("\n\n");
    held = parts.pop();
    for (const part of parts) {
      const event = parsed(part);
      if (event) yield event;
    }
  }
}

function parsed(part) {
  const fields = {};
  for (const line of part.split("\n")) {
    const place = line.indexOf(": ");
    if (place > 0) fields[line.slice(0, place)] = line.slice(place + 2);
  }
  return fields.data ? { name: fields.event, id: fields.id, data: JSON.parse(fields.data) } : null;
}
