// How things are said on this page: dates, origins, colours of categories.

const DAY = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", year: "numeric", timeZone: "UTC" });
const CLOCK = new Intl.DateTimeFormat("en-GB", {
  day: "numeric",
  month: "short",
  year: "numeric",
  hour: "2-digit",
  minute: "2-digit",
  timeZone: "UTC",
});
const COUNT = new Intl.NumberFormat("en-US");

const date = (moment) => (moment instanceof Date ? moment : new Date(moment));
export const day = (moment) => (moment ? DAY.format(date(moment)) : "");
export const clock = (moment) => (moment ? `${CLOCK.format(date(moment))} UTC` : "");
export const number = (value) => COUNT.format(value);
export const many = (value, what) => `${number(value)} ${what}${value === 1 ? "" : "s"}`;

export const SAID_BY = {
  user: "told by the user",
  operator: "set by the operator",
  assistant: "from an assistant",
  tool: "from a tool",
  document: "from a document",
  import: "imported",
};

// What each reason of a hit means.
export const SIGNALS = {
  attribute: "It is what the question asks for",
  subject: "It is about whom the question names",
  topic: "The task needs it without asking",
  time: "It is of the time that is asked for",
  words: "It has the same words",
  meaning: "It means something near",
  late: "Compared word by word, it is near",
  session: "Its conversation speaks of the same",
  together: "More in its conversation speaks of the same",
  opens: "It opens its conversation",
  beside: "What was said after it speaks of it",
  answer: "It answers a question that was found",
  speaker: "The question names who said it",
  newest: "It is the newest of about equally good answers",
  recency: "It was said lately",
};

const HUES = 8;
const KNOWN = {
  identity: 0,
  home: 6,
  work: 1,
  family: 7,
  people: 6,
  pets: 5,
  food: 5,
  health: 2,
  travel: 1,
  finance: 4,
  skills: 3,
  preference: 3,
  habits: 2,
  contact: 0,
  project: 0,
  possessions: 4,
  plans: 7,
  events: 4,
  request: 1,
  other: 1,
};

// One colour a category, the same on every visit.
export function hue(category) {
  if (Object.hasOwn(KNOWN, category)) return `hue${KNOWN[category]}`;
  let sum = 7;
  for (const letter of category) sum = (sum * 31 + letter.codePointAt(0)) >>> 0;
  return `hue${sum % HUES}`;
}

// When a fact was or is so, in a few words.
export function span(fact) {
  if (fact.retired) return `never so, put right ${day(fact.retired)}`;
  if (fact.since && fact.until) return `${day(fact.since)} to ${day(fact.until)}`;
  if (fact.until) return `until ${day(fact.until)}`;
  if (fact.since) return new Date(fact.since) > new Date() ? `from ${day(fact.since)}` : `since ${day(fact.since)}`;
  return `said ${day(fact.said)}`;
}

// The text in three parts: before, the value as it stands in it, after.
export function around(text, value) {
  const place = value ? text.toLowerCase().indexOf(value.toLowerCase()) : -1;
  if (place < 0) return [text, "", ""];
  return [text.slice(0, place), text.slice(place, place + value.length), text.slice(place + value.length)];
}

export function titled(name) {
  return name.charAt(0).toUpperCase() + name.slice(1);
}
