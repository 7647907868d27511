/** Puts changelog fragments into CHANGELOG.md for a release. Pure. */

/** One file of `.changelog/`. */
export interface Fragment {
  /** `no-targets-grace.md`. */
  readonly name: string;
  readonly text: string;
}

const UNRELEASED = "## Unreleased";
/** Chapter of what came after a section was written. */
const MORE = "Later changes";

/**
 * What is wrong with a fragment, or null: it holds bullets (`- `) whose further lines are indented,
 * and nothing else.
 */
export function fragmentTrouble({ name, text }: Fragment): string | null {
  const lines = text.trimEnd().split("\n");
  const wrong = lines.findIndex(
    (line, index) => !/^(?:- |$| {2}\S)/.test(line) || (index === 0 && !line.startsWith("- ")),
  );
  return wrong === -1
    ? null
    : `${name}: line ${wrong + 1} is neither "- a change" nor indented by two`;
}

/**
 * The changelog with the fragments, sorted by name, below what is unreleased already. With a
 * version the section gets its name, and an empty one for what comes next; where the version has a
 * section already (it was written before it is released), they are a chapter at its end. Throws
 * when there is no section `## Unreleased`.
 */
export function fold(
  changelog: string,
  fragments: readonly Fragment[],
  version: string | null,
): string {
  const [before, after] = changelog.split(`${UNRELEASED}\n`);
  if (before === undefined || after === undefined) throw new Error(`no section "${UNRELEASED}"`);
  const [section, older] = splitAtHeading(after);
  const added = [...fragments]
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ text }) => text.trim());
  const body = [section.trim(), ...added].filter((text) => text !== "").join("\n");
  const text = body === "" ? "" : `\n${body}\n`;
  const [earlier, written] = older.split(`\n## ${version}\n`);
  if (version !== null && earlier !== undefined && written !== undefined) {
    const [own, oldest] = splitAtHeading(written);
    const more = body === "" ? own : `${own.trimEnd()}\n\n### ${MORE}\n${text}`;
    return `${before}${UNRELEASED}\n${earlier}\n## ${version}\n${more}${oldest}`;
  }
  const heading = version === null ? UNRELEASED : `${UNRELEASED}\n\n## ${version}`;
  return `${before}${heading}\n${text}${older}`;
}

/** What stands before the next section, and from there on, with the line break before it. */
function splitAtHeading(text: string): readonly [string, string] {
  const next = text.indexOf("\n## ");
  return next === -1 ? [text, ""] : [text.slice(0, next), text.slice(next)];
}
