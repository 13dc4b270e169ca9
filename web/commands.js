// Which commands that an answer prints are answered in the page: those of this program that need no machine.

const OPTION = /^ --(?:(gpu|for|os|python) ("[^"]*"|[^\s"]+)|verbose)/;

/**
 * The words to ask the program with; undefined for a command that the page cannot answer.
 * A command that names no GPU gets the one that is known; without one, { needs: "gpu" }.
 */
export function runsHere(command, known = {}) {
  const shown = /^rocsteady kb show ([\w-]+)$/.exec(command);
  if (shown) return { words: ["kb", "show", shown[1]] };
  if (!command.startsWith("rocsteady advise --")) return undefined;
  const given = { os: known.system };
  let rest = command.slice("rocsteady advise".length);
  let verbose = [];
  for (let option; (option = OPTION.exec(rest)); rest = rest.slice(option[0].length)) {
    if (option[1]) given[option[1]] = option[2].replaceAll('"', "");
    else verbose = ["--verbose"];
  }
  if (rest || given.for === "PROGRAM") return undefined;
  if (!given.gpu || given.gpu === "NAME" || given.gpu === "gfxNNNN") given.gpu = known.gpu;
  if (!given.gpu) return { needs: "gpu" };
  const words = ["gpu", "for", "os", "python"].flatMap((name) => (given[name] ? [`--${name}`, given[name]] : []));
  return { words: ["advise", ...words, ...verbose] };
}
