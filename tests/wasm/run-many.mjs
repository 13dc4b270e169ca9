// rocsteady.wasm under Node, once for each line of standard input, with the page's own WASI.
//
// usage: node run-many.mjs rocsteady.wasm DIR < WORDS
//
// A line is a JSON array of words; those that begin with a slash are files of this machine.
// DIR/N.out gets what line N writes, and standard output the exit status, a line each.
import { webcrypto } from "node:crypto";
import { closeSync, openSync, readFileSync, readSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { bytesFile, run, warm } from "../../web/wasi.js";

globalThis.crypto ??= webcrypto; // browsers have it, and Node from 19 on

const [path, dir] = process.argv.slice(2);
const module = await WebAssembly.compile(readFileSync(path));
const sample = bytesFile(new TextEncoder().encode("RuntimeError: HIP error: invalid device function\n"));
const image = warm(module, { args: ["rocsteady", "explain", "--no-machine", "sample"], files: new Map([["sample", sample]]), write() {} });
const lines = readFileSync(0, "utf8").split("\n").filter(Boolean);

function diskFile(name, fd) {
  return {
    size: statSync(name).size,
    read(offset, length) {
      const slice = new Uint8Array(length);
      return slice.subarray(0, readSync(fd, slice, 0, length, offset));
    },
  };
}

for (const [n, line] of lines.entries()) {
  const words = JSON.parse(line);
  const names = words.filter((word) => word.startsWith("/"));
  const opened = names.map((name) => openSync(name, "r"));
  const files = new Map(names.map((name, i) => [name.slice(1), diskFile(name, opened[i])]));
  const said = [];
  const status = await run(module, { args: ["rocsteady", ...words], files, write: (fd, bytes) => fd === 1 && said.push(bytes) }, image);
  writeFileSync(join(dir, `${n}.out`), Buffer.concat(said));
  opened.forEach(closeSync);
  console.log(status);
}
