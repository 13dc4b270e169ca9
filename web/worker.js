// Runs rocsteady.wasm: one message is one run of the program. A run cannot be interrupted from
// within; the page ends this worker instead and starts another with the same compiled module.
import { blobFile, bytesFile, run, warm } from "./wasi.js";

let module, image;

const encode = (text) => bytesFile(new TextEncoder().encode(text));

function inputFiles(input) {
  let told = 0;
  const tell = (at, size) => {
    if (performance.now() - told < 100) return;
    told = performance.now();
    postMessage({ progress: at / size });
  };
  return new Map(input ? [[input.name, input.blob ? blobFile(input.blob, tell) : encode(input.text)]] : []);
}

async function answer({ words, input }) {
  const said = [[], []];
  const write = (fd, bytes) => said[fd - 1].push(bytes);
  const status = await run(module, { args: ["rocsteady", ...words], files: inputFiles(input), write }, image);
  const text = (pieces) => {
    const decoder = new TextDecoder();
    return pieces.map((bytes) => decoder.decode(bytes, { stream: true })).join("") + decoder.decode();
  };
  return { status, out: text(said[0]), err: text(said[1]) };
}

/** Every answer begins with the knowledge opened, and without a trace of the answers before it. */
function prepare(data) {
  module = data.module;
  const args = ["rocsteady", "explain", "--format", "html", "--no-machine", "sample"];
  image = warm(module, { args, files: new Map([["sample", encode(data.sample)]]), write() {} });
}

onmessage = async ({ data }) => {
  try {
    if (data.module) prepare(data);
    else postMessage({ id: data.id, ...(await answer(data)) });
  } catch (error) {
    postMessage({ id: data.id, failed: String(error) });
  }
};
