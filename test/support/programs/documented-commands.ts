/** Commands as documents have them, for tests that run them as they stand. */

/**
 * Texts of the code blocks of a section of a Markdown document (empty = all of it); `language`
 * empty = none.
 */
export function blocksOf(markdown: string, section: string, language = ""): readonly string[] {
  const sections = markdown.split(/^## /m).filter((one) => one.startsWith(section));
  const text = section === "" ? markdown : (sections[0] ?? "");
  return [...text.matchAll(/^```(\w*)\n(.*?)^```/gms)].flatMap(([, of = "", block = ""]) =>
    of === language ? [block] : [],
  );
}

/** A command of a document, and the lines that it is said to print. */
export interface Step {
  readonly command: string;
  readonly output: readonly string[];
}

/**
 * What a person types in the blocks of a section (empty = of all sections), and what is printed: a
 * command follows `$ `, here-documents with it.
 */
export function stepsIn(markdown: string, section: string, language = ""): readonly Step[] {
  return steps(blocksOf(markdown, section, language).join(""));
}

/** Commands within sentences, in the order of the text, each once. */
export function inlineCommandsIn(markdown: string): readonly string[] {
  const prose = markdown.replaceAll(/^```.*?^```/gms, "");
  return [...new Set(prose.match(/(?<=`)(?:kubectl|zonekeeper) [^`]+(?=`)/g) ?? [])];
}

/**
 * What `output` says and a run does not; null = the run printed that. A line `…` stands for any
 * lines, `…` in a line for any text. What differs from run to run is not compared: times, ages,
 * addresses of this host, hashes, ids, the width of columns.
 */
export function unlike(output: readonly string[], seen: string): string | null {
  const lines = output.map((line) =>
    line === "…" ? "(?:.*\n)*?" : `${escaped(plain(line)).replaceAll("…", ".*")}\n`,
  );
  const printed = plain(seen);
  if (new RegExp(`^${lines.join("")}$`).test(printed === "" ? "" : `${printed}\n`)) return null;
  return `documented:\n${output.map(plain).join("\n")}\nseen:\n${printed}`;
}

const VARIES: readonly (readonly [RegExp, string])[] = [
  [/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "TIME"],
  [/\d{4}-\d\d-\d\d [\d:]{8} \((?:now|\d+ \w+ ago)\)/g, "TIME"],
  [/\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, "UUID"],
  [/\b[0-9a-f]{16}\b/g, "HASH"],
  [/\bdev-[0-9a-f]{8}\b/g, "OWNER"],
  [/-(service|ingress)-[a-z0-9]{10}\b/g, "-$1-ID"],
  [/\b127\.0\.0\.1:\d+/g, "SERVER"],
  [/\b10\.\d+\.\d+\.\d+/g, "CLUSTER-IP"],
  [/\bserial \d+/g, "serial N"],
  [/\bid: \d+/g, "id: N"],
  [/\b(?:\d+[smh])+$/gm, "AGE"],
  [/[ \t]+/g, " "],
  [/ $/gm, ""],
];

function plain(text: string): string {
  return VARIES.reduce((one, [what, by]) => one.replaceAll(what, by), text).trimEnd();
}

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);
}

function steps(text: string): readonly Step[] {
  const all: { command: string; output: string[] }[] = [];
  let isInHereDocument = false;
  for (const line of text.replace(/\n$/, "").split("\n")) {
    const last = all.at(-1);
    if (isInHereDocument && last !== undefined) last.command += `\n${line}`;
    else if (line.startsWith("$ ")) all.push({ command: line.slice(2), output: [] });
    else last?.output.push(line);
    if (line.includes("<<'EOF'")) isInHereDocument = true;
    else if (line === "EOF") isInHereDocument = false;
  }
  return all;
}
