"use strict";
// A field above an index: only the lines that have all of its words are shown. Without scripts it is the whole list.
const main = document.querySelector("main");
const items = [...main.querySelectorAll("section li")].map((item) => [item, item.textContent.toLowerCase()]);
const label = document.createElement("label");
const field = document.createElement("input");
const count = document.createElement("p");

function show() {
  const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
  let shown = 0;
  for (const [item, text] of items) {
    item.hidden = !words.every((word) => text.includes(word));
    shown += !item.hidden;
  }
  for (const section of main.querySelectorAll("section")) section.hidden = !section.querySelector("li:not([hidden])");
  count.textContent = words.length ? `${shown} of ${items.length}` : "";
}

field.type = "search";
field.autocomplete = "off";
field.spellcheck = false;
field.addEventListener("input", show);
label.className = "filter";
label.append("Only with these words ", field);
count.className = "small dim";
count.setAttribute("role", "status");
main.querySelector("section").before(label, count);
