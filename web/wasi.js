// The few calls of WASI (preview 1) that rocsteady.wasm makes, with files from memory.
//
// A file is { size, read(offset, length), waits }. read gives a Uint8Array, or a promise of one if
// the file says that it waits: bytes are asked for in slices, so a file of gigabytes is never in
// memory as a whole. There is one directory, "/"; nothing is written but standard output and
// standard error.

const OK = 0, BADF = 8, INVAL = 28, NOENT = 44, NOSYS = 52, NOTDIR = 54;
const DIRECTORY = 3, REGULAR = 4, CHARACTER = 2;
const PAGE = 1 << 16; // of WebAssembly's memory
const BLOCK = 1024; // words that are compared at once: what was never written is not copied
const ROOT = 3; // the descriptor of "/", behind the three standard ones
const SLICE = 256 << 10, AHEAD = 4 << 20; // read at once: somewhere, and where the last slice ended
const STREAMED = 512 << 10; // read at once of a stream

/** May a call of the program wait for a promise (JavaScript Promise Integration), and is a file a stream of bytes? */
const CAN_WAIT = "Suspending" in WebAssembly && hasByteStreams();

function hasByteStreams() {
  try {
    new Blob().stream().getReader({ mode: "byob" }).cancel();
    return true;
  } catch {
    return false;
  }
}

class Exit extends Error {
  constructor(status) {
    super(`exit ${status}`);
    this.status = status;
  }
}

/** Bytes as a file. */
export function bytesFile(bytes) {
  return { size: bytes.length, read: (offset, length) => bytes.subarray(offset, offset + length) };
}

/** A File or Blob of a browser; in a worker. */
export function blobFile(blob, progress = () => {}) {
  const read = CAN_WAIT ? streamReader(blob) : syncReader(blob);
  return {
    size: blob.size,
    waits: CAN_WAIT,
    read(offset, length) {
      progress(offset, blob.size);
      return read(offset, length);
    },
  };
}

/** Where the program reads on, a stream into one buffer that goes to and fro; a slice where it jumps. */
function streamReader(blob) {
  let buffer = new ArrayBuffer(STREAMED);
  let end = 0, stream, streamed; // where the last read ended; the stream, and where it stands
  async function next(offset) {
    if (streamed !== offset) {
      stream?.cancel();
      stream = blob.slice(offset).stream().getReader({ mode: "byob" });
    }
    const { value } = await stream.read(new Uint8Array(buffer));
    buffer = value.buffer;
    streamed = offset + value.length;
    return value;
  }
  return async (offset, length) => {
    const bytes = offset === end ? await next(offset) : new Uint8Array(await blob.slice(offset, offset + length).arrayBuffer());
    end = offset + bytes.length;
    return bytes;
  };
}

/** For browsers in which the program cannot wait. */
function syncReader(blob) {
  const reader = new FileReaderSync();
  const nowhere = new MessageChannel().port1;
  let last;
  nowhere.close();
  return (offset, length) => {
    // Given away, and so freed now: a worker that never waits does not collect its garbage.
    if (last) nowhere.postMessage(null, [last]);
    last = reader.readAsArrayBuffer(blob.slice(offset, offset + length));
    return new Uint8Array(last);
  };
}

/** What `next` makes of a value, now or when the value is there. */
const then = (value, next) => (value instanceof Promise ? value.then(next) : next(value));

/** An open file: its place, and the slice that was read last. */
class Open {
  constructor(file) {
    this.file = file;
    this.at = 0;
    this.from = this.end = 0;
    this.slice = new Uint8Array(0);
  }

  /** Up to `length` bytes from `offset`; empty at the end. A promise where they must be waited for. */
  bytes(offset, length) {
    if (offset >= this.file.size) return new Uint8Array(0);
    if (offset >= this.from && offset < this.from + this.slice.length)
      return this.slice.subarray(offset - this.from, offset - this.from + length);
    const most = offset === this.end && offset > 0 ? AHEAD : SLICE;
    return then(this.file.read(offset, Math.min(Math.max(length, most), this.file.size - offset)), (slice) => {
      this.from = offset;
      this.slice = slice;
      this.end = offset + slice.length;
      return slice.subarray(0, length);
    });
  }
}

/** An instance of a compiled module, with { args, files: Map of names to files, write(descriptor, bytes) }. */
function instantiate(module, { args, files, write }) {
  const open = new Map(); // descriptor -> Open
  const words = args.map((word) => new TextEncoder().encode(`${word}\0`));
  let next = ROOT + 1;
  let memory;

  const view = () => new DataView(memory.buffer);
  const bytes = (at, length) => new Uint8Array(memory.buffer, at, length);
  const text = (at, length) => new TextDecoder().decode(bytes(at, length));
  const find = (path) => files.get(path.replace(/^(\.?\/+)+/, ""));

  /** Each piece of memory that a list of pieces names. */
  function* pieces(list, count) {
    for (let i = 0; i < count; i++)
      yield bytes(view().getUint32(list + 8 * i, true), view().getUint32(list + 8 * i + 4, true));
  }

  /** Fills pieces of memory from a place of a file, as far as it goes; how many bytes that were. */
  function fill(of, offset, [piece, ...rest], got = 0) {
    if (!piece) return got;
    return then(of.bytes(offset + got, piece.length), (some) => {
      piece.set(some);
      if (some.length === 0) return got;
      if (some.length < piece.length) rest.unshift(piece.subarray(some.length));
      return fill(of, offset, rest, got + some.length);
    });
  }

  /** The pieces of a list, filled from a place of a file; the status of the call that asked for it. */
  function read(of, offset, list, count, gotAt, moved = () => {}) {
    return then(fill(of, offset, [...pieces(list, count)].filter(({ length }) => length)), (got) => {
      view().setUint32(gotAt, got, true);
      moved(got);
      return OK;
    });
  }

  function stat(kind, size, ret) {
    bytes(ret, 64).fill(0);
    view().setUint8(ret + 16, kind);
    view().setBigUint64(ret + 24, 1n, true);
    view().setBigUint64(ret + 32, BigInt(size), true);
    return OK;
  }

  function statOf(fd, ret) {
    if (fd < ROOT) return stat(CHARACTER, 0, ret);
    if (fd === ROOT) return stat(DIRECTORY, 0, ret);
    return open.has(fd) ? stat(REGULAR, open.get(fd).file.size, ret) : BADF;
  }

  function putList(list, at, to) {
    for (const [i, word] of list.entries()) {
      view().setUint32(at + 4 * i, to, true);
      bytes(to, word.length).set(word);
      to += word.length;
    }
    return OK;
  }

  function putSizes(list, count, size) {
    view().setUint32(count, list.length, true);
    view().setUint32(size, list.reduce((sum, word) => sum + word.length, 0), true);
    return OK;
  }

  const calls = {
    args_get: (at, to) => putList(words, at, to),
    args_sizes_get: (count, size) => putSizes(words, count, size),
    environ_get: () => OK,
    environ_sizes_get: (count, size) => putSizes([], count, size),
    clock_time_get(clock, precision, ret) {
      const ms = clock === 0 ? Date.now() : performance.now();
      view().setBigUint64(ret, BigInt(Math.round(ms * 1e6)), true);
      return OK;
    },
    random_get(at, length) {
      for (let done = 0; done < length; done += 65536) // as much as a browser gives at once
        crypto.getRandomValues(bytes(at + done, Math.min(65536, length - done)));
      return OK;
    },
    proc_exit(status) {
      throw new Exit(status);
    },
    poll_oneoff: () => NOSYS,
    fd_fdstat_get(fd, ret) {
      const kind = fd < ROOT ? CHARACTER : fd === ROOT ? DIRECTORY : REGULAR;
      if (fd > ROOT && !open.has(fd)) return BADF;
      bytes(ret, 24).fill(0);
      view().setUint8(ret, kind);
      view().setBigUint64(ret + 8, 0xffffffffffffffffn, true);
      view().setBigUint64(ret + 16, 0xffffffffffffffffn, true);
      return OK;
    },
    fd_fdstat_set_flags: () => OK,
    fd_filestat_get: statOf,
    fd_prestat_get(fd, ret) {
      if (fd !== ROOT) return BADF;
      view().setUint8(ret, 0);
      view().setUint32(ret + 4, 1, true);
      return OK;
    },
    fd_prestat_dir_name(fd, at) {
      bytes(at, 1)[0] = 0x2f;
      return OK;
    },
    fd_close(fd) {
      return open.delete(fd) ? OK : BADF;
    },
    fd_read(fd, list, count, gotAt) {
      const of = open.get(fd);
      if (fd === 0) view().setUint32(gotAt, 0, true); // standard input is empty
      else if (of) return read(of, of.at, list, count, gotAt, (got) => (of.at += got));
      return fd === 0 ? OK : BADF;
    },
    fd_pread(fd, list, count, offset, gotAt) {
      return open.has(fd) ? read(open.get(fd), Number(offset), list, count, gotAt) : BADF;
    },
    fd_seek(fd, offset, whence, ret) {
      const of = open.get(fd);
      if (!of) return BADF;
      const to = Number(offset) + [0, of.at, of.file.size][whence];
      if (to < 0) return INVAL;
      of.at = to;
      view().setBigUint64(ret, BigInt(to), true);
      return OK;
    },
    fd_tell(fd, ret) {
      if (!open.has(fd)) return BADF;
      view().setBigUint64(ret, BigInt(open.get(fd).at), true);
      return OK;
    },
    fd_write(fd, list, count, gotAt) {
      let got = 0;
      if (fd !== 1 && fd !== 2) return BADF;
      for (const piece of pieces(list, count)) {
        write(fd, piece.slice());
        got += piece.length;
      }
      view().setUint32(gotAt, got, true);
      return OK;
    },
    fd_readdir: () => NOTDIR,
    path_filestat_get(dir, flags, at, length, ret) {
      const path = text(at, length);
      if (path === "." || path === "") return stat(DIRECTORY, 0, ret);
      const file = find(path);
      return file ? stat(REGULAR, file.size, ret) : NOENT;
    },
    path_readlink: () => INVAL, // nothing is a link
    path_open(dir, lookup, at, length, how, rights, inherited, flags, ret) {
      const file = find(text(at, length));
      if (!file) return NOENT;
      open.set(next, new Open(file));
      view().setUint32(ret, next++, true);
      return OK;
    },
  };

  const waits = [...files.values()].some((file) => file.waits);
  if (waits) for (const name of ["fd_read", "fd_pread"]) calls[name] = new WebAssembly.Suspending(calls[name]);
  const { exports } = new WebAssembly.Instance(module, { wasi_snapshot_preview1: calls });
  memory = exports.memory;
  return { memory, warm: exports.warm, start: waits ? WebAssembly.promising(exports._start) : exports._start };
}

/** What a function of the module returns, or the status that it exits with. A trap is thrown. */
async function statusOf(call) {
  try {
    return (await call()) ?? 0;
  } catch (end) {
    if (end instanceof Exit) return end.status;
    throw end;
  }
}

/** Where a memory differs from one before it: its size, and runs of bytes with their places. */
function changesOf(before, after) {
  const old = new Uint32Array(before), now = new Uint32Array(after);
  const runs = [];
  let from = -1;
  for (let at = 0; at < now.length; at += BLOCK) {
    let k = at;
    while (k < at + BLOCK && now[k] === (old[k] ?? 0)) k++;
    if (k < at + BLOCK && from < 0) from = at;
    if (from >= 0 && (k === at + BLOCK || at + BLOCK === now.length)) {
      const end = k === at + BLOCK ? at : now.length;
      runs.push([4 * from, new Uint8Array(after, 4 * from, 4 * (end - from)).slice()]);
      from = -1;
    }
  }
  return { size: after.byteLength, runs };
}

/** One run of the program; a promise of its exit status. With an image the run begins with that memory. */
export function run(module, io, image) {
  const { memory, start } = instantiate(module, io);
  if (image) {
    memory.grow((image.size - memory.buffer.byteLength) / PAGE);
    const all = new Uint8Array(memory.buffer);
    for (const [at, bytes] of image.runs) all.set(bytes, at);
  }
  return statusOf(start);
}

/** What one run leaves in the memory of a new instance, with all open that does not depend on the text. */
export function warm(module, io) {
  const { memory, warm } = instantiate(module, io);
  const before = memory.buffer.slice();
  warm(); // a program that exits leaves no such memory: Exit is thrown
  return changesOf(before, memory.buffer);
}
