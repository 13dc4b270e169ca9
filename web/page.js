// The page: hands what was pasted or dropped to the program, and shows what the program says.
// Nothing is decided here but which command reads which kind of file.

import { runsHere } from "./commands.js";

const KEY_PAUSE_MS = 300;
const LINES_MAX = 1 << 20; // of a text whose lines are shown again beside the answer
const SHOWN = 4; // steps, or possible causes, before the others are asked for
const AROUND = 2; // lines shown before and after one that was recognised
const EXAMPLE = `Traceback (most recent call last):
  File "train.py", line 12, in <module>
    loss = model(x.to("cuda")).mean()
RuntimeError: HIP error: invalid device function
HIP kernel errors might be asynchronously reported at some other API call, so the stacktrace below might be incorrect.
GPU models and configuration: AMD Radeon 780M Graphics (gfx1103)
PyTorch version: 2.9.1+rocm6.4
`;
const EXAMPLES = {
  example: EXAMPLE,
  "example-memory": `Windows 11, GPU: Strix Halo
torch.OutOfMemoryError: HIP out of memory. Tried to allocate 12.00 GiB. GPU 0 has a total capacity of 31.87 GiB of which 2.10 GiB is free.
`,
  "example-denied": `$ rocminfo
ROCk module is loaded
Unable to open /dev/kfd read-write: Permission denied
tom is not member of "render" group, the default DRM access group.
`,
};
const LINK_MAX = 6000; // characters: longer ones are cut off by chats and mail
const LINKED_MAX = 1 << 18; // bytes of text that a link may unpack to
const MORE = "The cause often stands many lines before the last error: paste more of the output above, or open the whole log. " +
  "Copy as Markdown gives a text for an issue, without names and secrets; read it before you send it.";

const $ = (id) => document.getElementById(id);

function element(tag, properties = {}, ...children) {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
}

// ---- the program ----

const UNLOADED = "the program could not be loaded; reload the page";
const compiled = WebAssembly.compileStreaming(fetch("rocsteady.wasm"));
let worker, running = 0;
const waiting = new Map();

async function start() {
  const mine = (worker = new Worker("worker.js", { type: "module" }));
  let answered = false;
  mine.onmessage = ({ data }) => {
    answered = true;
    if (data.progress !== undefined) showProgress(data.progress);
    waiting.get(data.id)?.(data);
    waiting.delete(data.id);
  };
  mine.onerror = () => (answered ? stop("The program ended before it could answer.") : giveUp());
  try {
    mine.postMessage({ module: await compiled, sample: EXAMPLE });
  } catch {
    giveUp();
  }
}

/** A program that never answered would fail again, and again: no other is started. */
function giveUp() {
  worker = undefined;
  for (const answer of waiting.values()) answer({ failed: UNLOADED });
  waiting.clear();
}

/** One run of the program; { status, out, err }. Never answered if it is stopped. */
export async function ask(words, input) {
  const id = ++running, mine = worker;
  if (!mine) throw new Error(UNLOADED);
  const answer = new Promise((resolve) => waiting.set(id, resolve));
  compiled.then(() => mine.postMessage({ id, words, input }), () => {}); // start() has told it
  const given = await answer;
  if (given.failed) throw new Error(given.failed);
  return given;
}

/** What runs is given up: a program in a worker ends with it. */
function stop(why) {
  $("status").className = "";
  worker?.terminate();
  waiting.clear();
  start();
  busy(false);
  $("status").textContent = why;
}

// ---- what kind of file ----

const KINDS = [
  [/^rocsteady-snapshot /, "check"],
  [/^(PK\x03\x04|\x7fELF|MZ|!<arch>|\xed\xab\xee\xdb|__CLANG_OFFLOAD|CCOB|KPAK)/, "targets"],
];

async function kindOf(blob) {
  const head = new TextDecoder("latin1").decode(await blob.slice(0, 64).arrayBuffer());
  if (/\.snap(\.gz)?$/.test(blob.name)) return "check";
  if (/\.(tar(\.\w+)?|tgz|whl|deb|rpm|kpack)$/.test(blob.name)) return "targets";
  return KINDS.find(([mark]) => mark.test(head))?.[1] ?? "explain";
}

// ---- showing ----

function showProgress(part) {
  $("progress").hidden = false;
  $("progress").value = part;
}

function busy(is) {
  $("clear").hidden = false;
  $("stop").hidden = !is;
  if (!is) $("progress").hidden = true;
}

/** Copies, and says so on the button that was pressed. */
async function copy(button, text) {
  const before = button.textContent;
  try {
    await navigator.clipboard.writeText(await text());
    button.textContent = "Copied";
    $("status").textContent = "Copied to the clipboard.";
  } catch {
    button.textContent = "Not copied";
  }
  setTimeout(() => (button.textContent = before), 1500);
}

function copyButton(text, label, name) {
  const button = element("button", { type: "button", textContent: label });
  if (name) button.setAttribute("aria-label", name);
  button.onclick = () => copy(button, text);
  return button;
}

/** HTML of the program, which it has escaped itself; its style is report.css, and scripts never run. */
function parse(html) {
  return new DOMParser().parseFromString(html.replace(/<style>[^]*?<\/style>/, ""), "text/html");
}

function report(html, known = {}) {
  const parts = element("div");
  parts.append(...parse(html).querySelector("main").children);
  for (const code of parts.querySelectorAll("pre > code")) {
    const button = copyButton(() => code.textContent, "Copy", `Copy: ${code.textContent.slice(0, 80)}`);
    button.className = "copy";
    code.parentElement.append(button);
  }
  for (const list of parts.querySelectorAll("ol.steps")) fold(list.children, "steps");
  for (const answer of parts.querySelectorAll(".finding.undecided")) fold(answer.querySelectorAll(":scope > details"), "causes");
  for (const code of parts.querySelectorAll("code")) offerRun(code, { gpu: $("gpu").value.trim(), system: $("os").value, ...known });
  return parts;
}

/** What the report of a machine says above everything else. */
function verdict(html) {
  const head = parse(html).querySelector("header");
  return element("section", {}, element("h2", { className: "verdict" }, ...head.querySelector("h1").childNodes), ...head.querySelectorAll(".parts"));
}

/** What takes the place of a pressed button gets the focus: lost, it would begin at the top again. */
function focusOn(part) {
  if (part.tabIndex < 0) part.tabIndex = -1; // an element that no key leads to can have it all the same
  part.focus();
}

/** Of a long list the first few are shown; the others at a press. */
function fold(items, what) {
  const rest = [...items].slice(SHOWN);
  if (rest.length < 2) return;
  const button = element("button", { type: "button", className: "more", textContent: `Show ${rest.length} more ${what}` });
  for (const item of rest) item.hidden = true;
  button.onclick = () => {
    for (const item of rest) item.hidden = false;
    button.remove();
    focusOn(rest[0].querySelector("summary") ?? rest[0]);
  };
  (rest[0].parentElement.tagName === "OL" ? rest[0].parentElement : rest.at(-1)).after(button);
}

/** A command of this program that needs no machine: its answer below it, at a press. */
function offerRun(code, known) {
  const run = runsHere(code.textContent, known);
  if (!run) return;
  const label = run.words ? "Show the answer here" : "Name your GPU to see the answer here";
  const button = element("button", { type: "button", className: "run", textContent: label });
  button.setAttribute("aria-label", `${label}: ${code.textContent}`);
  button.onclick = async () => {
    if (run.needs) return focusOn($(run.needs));
    const { out, err } = await ask(run.words);
    const told = element("pre", { className: "told", tabIndex: 0 }, out || err);
    button.replaceWith(told);
    focusOn(told);
  };
  code.closest("pre, p").after(button);
}

/** Facts that the rules ask for and that tell a reader nothing new. */
const INNER = new Set(["own_frame", "shown", "aftermath"]);

function chips(facts) {
  const list = element("ul", { className: "chips" });
  list.setAttribute("aria-label", "Read from the text");
  for (const [name, values] of Object.entries(facts ?? {}).filter(([name]) => !INNER.has(name)))
    for (const { value } of values) list.append(element("li", {}, name.replaceAll("_", " ") + (value === "1" && !name.endsWith("count") ? "" : `: ${value}`)));
  return list.children.length ? list : "";
}

/** Numbers of the lines that the answer rests on. */
function seenLines(answer) {
  const lines = (answer.causes[0]?.evidence ?? []).map(({ source }) => Number(/:(\d+)$/.exec(source)?.[1]));
  if (lines.length === 0 && answer.ending?.last_error) lines.push(answer.ending.last_error.line);
  return new Set(lines.filter(Boolean));
}

/** What would act on the line that shows it, as bytes: controls, and characters that turn the direction of writing. */
function screened(line) {
  const bytes = (c) => [...new TextEncoder().encode(c)].map((b) => `\\x${b.toString(16).padStart(2, "0")}`).join("");
  return line.replace(/\r$/, "").replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, bytes);
}

function linesOf(text, seen) {
  const all = text.split("\n");
  const list = element("ol", { className: "lines" });
  let last = 0;
  for (let n = 1; n <= all.length; n++) {
    const near = [...seen].some((line) => Math.abs(line - n) <= AROUND);
    if (!near || (n === all.length && all[n - 1] === "")) continue;
    if (n > last + 1) list.append(element("li", { className: "gap" }, "…"));
    const item = element("li", { id: `line-${n}` }, element("span", { className: "n" }, `${n}`), element("span", {}, screened(all[n - 1])));
    if (seen.has(n)) item.className = "seen";
    list.append(item);
    last = n;
  }
  return list;
}

/** "pasted:5" in the report leads to that line below it. */
function linkLines(parts, name) {
  for (const code of parts.querySelectorAll("td code")) {
    const line = code.textContent.startsWith(`${name}:`) && code.textContent.slice(name.length + 1);
    if (/^\d+$/.test(line || "")) code.replaceWith(element("a", { href: `#line-${line}` }, `line ${line}`));
  }
}

/** What the fields say of the machine, in the words of --set. */
function stated() {
  return ["gpu", "os", "rocm"].flatMap((name) => ($(name).value.trim() ? ["--set", `${name}=${$(name).value.trim()}`] : []));
}

/** What the program says beside its answer, without its own name and the way to its help. */
function told(err) {
  return err.split("\n").map((line) => line.replace(/^rocsteady: /, "")).filter((line) => line && !line.startsWith("help: ")).join(" ");
}

/** A GPU that is not known, or not alone: the names that may be meant can be pressed. */
function showDoubt(says) {
  const near = [...says.matchAll(/([^:,]+) \((gfx\w+)\)/g)].map(([, name, gfx]) => {
    const button = element("button", { type: "button" }, `${name.trim()} (${gfx})`);
    button.onclick = () => {
      $("gpu").value = gfx;
      $("gpu").focus();
      again();
    };
    return button;
  });
  $("doubt").hidden = says === "";
  $("doubt").replaceChildren(near.length ? says.slice(0, says.indexOf(":") + 1) : says, near.length ? element("br") : "", ...near);
}

// ---- a link that carries the text ----

async function through(stream, bytes) {
  return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());
}

/** The text and what is stated of the machine, for the part of an address that no server is sent. */
async function fragmentOf(text) {
  const packed = await through(new CompressionStream("deflate-raw"), new TextEncoder().encode(text));
  const parts = new URLSearchParams({ t: btoa(String.fromCharCode(...packed)).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "") });
  for (const name of ["gpu", "os", "rocm"]) if ($(name).value.trim()) parts.set(name, $(name).value.trim());
  return `#${parts}`;
}

/** What a link unpacks to, a chunk at a time: it is a stranger's, and may be made to fill the memory. */
async function unpack(packed) {
  const reader = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader();
  const decoder = new TextDecoder();
  let text = "", size = 0;
  for (let part; !(part = await reader.read()).done; text += decoder.decode(part.value, { stream: true }))
    if ((size += part.value.length) > LINKED_MAX) throw new Error("its text is too long");
  return text + decoder.decode();
}

async function openLink() {
  const parts = new URLSearchParams(location.hash.slice(1));
  if (!parts.has("t")) return;
  try {
    const packed = atob(parts.get("t").replaceAll("-", "+").replaceAll("_", "/"));
    $("text").value = await unpack(Uint8Array.from(packed, (c) => c.charCodeAt(0)));
    for (const name of ["gpu", "os", "rocm"]) $(name).value = (parts.get(name) ?? "").slice(0, 100);
    showText();
  } catch (error) {
    $("status").textContent = `This link cannot be read: ${error.message}`;
  }
}

/** The text without names and secrets, to be read and changed, before there is a link to copy. */
async function offerLink(input, place) {
  const { out, err, status } = await ask(["explain", "--print-scrubbed", input.name], input);
  if (status !== 0) throw new Error(told(err));
  const text = element("textarea", { id: "shared", rows: 8, value: out, spellcheck: false });
  const size = element("p", { className: "small dim", role: "status" });
  const button = copyButton(async () => location.href.split("#")[0] + (await fragmentOf(text.value)), "Copy link");
  const measure = async () => {
    const length = location.href.split("#")[0].length + (await fragmentOf(text.value)).length;
    button.disabled = length > LINK_MAX;
    size.textContent = `${length} characters. ` + (button.disabled ? `More than ${LINK_MAX} are cut off by many programs: keep the lines around the error.`
      : "The text is in the part of the address behind #, which no server is sent; who has the link can read it.");
  };
  text.oninput = measure;
  place.replaceChildren(element("label", { htmlFor: "shared", textContent: "The link will carry this text. Names and secrets that are known as such are replaced: read it, and change what should not be seen." }),
    text, size, element("div", { className: "row" }, button));
  await measure();
  focusOn(text);
  text.setSelectionRange(0, 0);
  text.scrollTop = 0;
}

function sharing(input) {
  const markdown = async () => (await ask(["explain", "--no-machine", ...stated(), "--format", "markdown", input.name], input)).out;
  const place = element("div", { className: "share" });
  const link = element("button", { type: "button", textContent: "Make a link" });
  link.onclick = () => offerLink(input, place).catch((error) => ($("status").textContent = error.message));
  return element("section", { ariaLabel: "Hand it on" }, element("div", { className: "row" }, copyButton(markdown, "Copy as Markdown"), link), place);
}

/** GPU and system of the text or of the fields; the program has weighed both. */
function readFrom(facts) {
  const named = { gpu: facts?.gfx?.[0]?.value, system: facts?.system?.[0]?.value };
  return Object.fromEntries(Object.entries(named).filter(([, value]) => value));
}

function showExplained(input, text, answer, html) {
  const parts = report(html, readFrom(answer.facts));
  const seen = seenLines(answer);
  if (answer.answer === "not-recognised") parts.append(element("p", {}, MORE));
  const lines = seen.size > 0 ? element("section", {}, element("h2", {}, "Your text"), linesOf(text, seen)) : "";
  if (lines) linkLines(parts, input.name);
  $("answer").replaceChildren(chips(answer.facts), parts, sharing(input), lines);
}

function showTargets(name, answer) {
  const body = element("tbody");
  for (const file of [...answer.files, ...answer.kernels])
    body.append(element("tr", {}, element("td", {}, element("code", {}, file.member ?? file.path)), element("td", {},
      (file.targets ?? []).map(({ id }) => id).join(", ") || (file.problems.length ? "unknown" : "none"))));
  const head = element("thead", {}, element("tr", {}, element("th", {}, "file"), element("th", {}, "has code for")));
  const table = element("table", { className: "stack targets" }, element("caption", {}, name), head, body);
  const parts = element("section", { className: "finding note" }, element("h2", {}, "GPUs that this file has code for"));
  const doubts = [...answer.unread.map(({ path, says }) => `Not read: ${path}: ${says}`),
    ...[...answer.files, ...answer.kernels].flatMap((file) => file.problems.map((says) => `${file.member ?? file.path}: ${says}`))];
  if (body.children.length) parts.append(element("div", { className: "wide" }, table));
  else if (doubts.length === 0) parts.append(element("p", {}, "No device code for AMD GPUs was found in it."));
  for (const says of doubts) parts.append(element("p", { className: "warning" }, says));
  $("answer").replaceChildren(parts);
}

// ---- asking ----

let newest = 0; // the turn that may still show its answer
let again = () => {}; // the last question, for when more is known of the machine

async function explain(input, text) {
  const words = [input.name, "--no-machine", ...stated()];
  const html = await ask(["explain", "--format", "html", "--no-scrub", ...words], input);
  if (html.status > 3) throw new Error(told(html.err));
  const doubt = () => showDoubt(told(html.err));
  if (text === undefined) return { title: "see below", show: () => (doubt(), $("answer").replaceChildren(report(html.out), sharing(input))) };
  const json = await ask(["explain", "--json", "--verbose", ...words], input);
  const answer = JSON.parse(json.out);
  return { title: answer.headline, show: () => (doubt(), showExplained(input, text, answer, html.out)) };
}

async function check(input) {
  const html = await ask(["check", "--format", "html", "--no-scrub", "--from", input.name], input);
  if (html.status > 3) throw new Error(told(html.err));
  return { title: "the report of this machine", show: () => $("answer").replaceChildren(verdict(html.out), report(html.out)) };
}

async function targets(input) {
  const json = await ask(["targets", "--json", input.name], input);
  if (json.status > 3) throw new Error(told(json.err));
  return { title: "the GPUs that this file has code for", show: () => showTargets(input.name, JSON.parse(json.out)) };
}

const COMMANDS = { explain, check, targets };

async function show(input, command, text) {
  const turn = ++newest;
  again = () => show(input, command, text);
  if (waiting.size > 0) stop("");
  $("status").textContent = "Reading …";
  $("status").className = "";
  busy(true);
  try {
    const answer = await COMMANDS[command](input, text);
    if (turn !== newest) return;
    answer.show();
    document.body.className = "answered"; // the form makes room
    $("status").textContent = `Answered: ${answer.title}`;
    $("status").className = "heard"; // for a screen reader; others see the answer itself
  } catch (error) {
    if (turn !== newest) return;
    $("answer").replaceChildren();
    $("status").textContent = `This could not be read: ${error.message}`;
  }
  busy(false);
}

function clear() {
  newest++;
  again = () => {};
  showDoubt("");
  if (waiting.size > 0) stop("");
  $("answer").replaceChildren();
  document.body.className = "";
  $("status").textContent = "";
}

function showText() {
  const text = $("text").value;
  if (text.trim() === "") return clear();
  return show({ name: "pasted", text }, "explain", text);
}

async function showFile(file) {
  const command = await kindOf(file);
  const name = file.name.replace(/[/\\]/g, "_").replace(/^-/, "_") || "file";
  const small = command === "explain" && file.size <= LINES_MAX && !/\.(gz|zst|xz|bz2)$/.test(name);
  return show({ name, blob: file }, command, small ? await file.text() : undefined);
}

let pause;
$("text").oninput = () => {
  clearTimeout(pause);
  pause = setTimeout(showText, KEY_PAUSE_MS);
};
$("ask").onkeydown = (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && $("answer").firstChild) $("answer").focus();
};
for (const name of ["gpu", "os", "rocm"]) $(name).onchange = () => again();
$("choose").onclick = () => $("file").click();
$("file").onchange = () => $("file").files[0] && showFile($("file").files[0]);
for (const [id, text] of Object.entries(EXAMPLES))
  $(id).onclick = () => {
    $("text").value = text;
    showText();
  };
$("clear").onclick = () => {
  $("text").value = "";
  $("file").value = "";
  if (location.hash) history.replaceState(null, "", location.pathname + location.search);
  clear();
  $("clear").hidden = true;
  $("text").focus();
};
$("stop").onclick = () => {
  newest++;
  stop("Stopped.");
  $("text").focus();
};
$("ask").onsubmit = (event) => event.preventDefault();

addEventListener("dragover", (event) => {
  event.preventDefault();
  $("ask").classList.add("over");
});
addEventListener("dragleave", () => $("ask").classList.remove("over"));
addEventListener("drop", (event) => {
  event.preventDefault();
  $("ask").classList.remove("over");
  if (event.dataTransfer.files[0]) showFile(event.dataTransfer.files[0]);
});

addEventListener("hashchange", openLink);
start();
ask(["--version", "--json"]).then(({ out }) => {
  if (location.hash.startsWith("#t=")) openLink();
  else if ($("text").value) showText(); // kept by the browser over a reload, or pasted before the program was there
  const { version, kb } = JSON.parse(out);
  $("version").textContent = `rocsteady ${version}, knowledge of ${kb.version}. Works offline; nothing you paste leaves this page.`;
  return navigator.serviceWorker?.register("offline.js").catch(() => {}); // not in the way of the first answer
}).catch((error) => ($("status").textContent = `This page cannot answer: ${error.message}`));
