// The moment that every view looks at, and the chip that says so.

import { here } from "./api.js";
import { $, h } from "./dom.js";
import { day } from "./words.js";

export function setMoment(moment) {
  here.moment = moment;
  const chip = $("moment");
  chip.hidden = !moment;
  chip.textContent = moment ? `${here.clock === "at" ? "As of" : "As known on"} ${day(moment)}  ×` : "";
  chip.setAttribute("aria-label", moment ? `${chip.textContent}: back to now` : "");
}

// A slider from the beginning, 0, to now, `steps`; `settled` is called when it is let go.
export const momentSlider = (steps, slid, settled) =>
  h("input", {
    type: "range",
    min: 0,
    max: steps,
    value: steps,
    "aria-label": "As of",
    oninput: slid,
    onchange: settled,
  });
