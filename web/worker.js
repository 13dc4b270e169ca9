// Runs rocsteady.wasm: one message is one run of the program. A run cannot be interrupted from
// within; the page ends this worker instead and starts another with the same compiled module.
import { blobFile, bytesFile, run } from "./wasi.js";

let module;

const load = async () => (module ??= await WebAssembly.compileStreaming(fetch("rocsteady.wasm")));

function answer({ words, input }) {
  const files = new Map();
  const said = [[], []];
  let told = 0;
  if (input?.text !== undefined) files.set(input.name, bytesFile(new TextEncoder().encode(input.text)));
  if (input?.blob)
    files.set(input.name, blobFile(input.blob, (at, size) => {
      if (performance.now() - told < 100) return;
      told = performance.now();
      postMessage({ progress: at / size });
    }));
  const status = run(module, { args: ["rocsteady", ...words], files, write: (fd, bytes) => said[fd - 1].push(bytes) });
  const text = (pieces) => {
    const decoder = new TextDecoder();
    return pieces.map((bytes) => decoder.decode(bytes, { stream: true })).join("") + decoder.decode();
  };
  return { status, out: text(said[0]), err: text(said[1]) };
}

onmessage = async ({ data }) => {
  module ??= data.module;
  try {
    const fresh = !module;
    await load();
    if (fresh) postMessage({ module });
    if (data.words) postMessage({ id: data.id, ...answer(data) });
  } catch (error) {
    postMessage({ id: data.id, failed: String(error) });
  }
};
