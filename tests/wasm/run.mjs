// rocsteady.wasm under Node: the same words as on a command line, with the files of this machine, by
// absolute paths.
//
// usage: node run.mjs rocsteady.wasm ARGUMENT...
import { readFileSync } from "node:fs";
import { WASI } from "node:wasi";

const [path, ...words] = process.argv.slice(2);
const wasi = new WASI({
  version: "preview1",
  args: ["rocsteady", ...words],
  preopens: { "/": "/" },
  returnOnExit: true,
});
const module = await WebAssembly.compile(readFileSync(path));
const imports = { wasi_snapshot_preview1: wasi.wasiImport }; // Node 18 has no getImportObject()
process.exitCode = wasi.start(await WebAssembly.instantiate(module, imports));
