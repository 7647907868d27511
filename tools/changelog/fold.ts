/** Puts changelog fragments into CHANGELOG.md for a release. Pure. */

/** One file of `.changelog/`. */
export interface Fragment {
  /** `no-targets-grace.md`. */
  readonly name: string;
  readonly text: string;
}

const UNRELEASED = "## Unreleased";

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
 * version the section gets its name, and an empty one for what comes next. Throws when there is no
 * section `## Unreleased`.
 */
export function fold(
  changelog: string,
  fragments: readonly Fragment[],
  version: string | null,
): string {
  const [before, after] = changelog.split(`${UNRELEASED}\n`);
  if (before === undefined || after === undefined) throw new Error(`no section "${UNRELEASED}"`);
  const next = after.indexOf("\n## ");
  const section = next === -1 ? after : after.slice(0, next);
  const older = next === -1 ? "" : after.slice(next);
  const added = [...fragments]
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ text }) => text.trim());
  const body = [section.trim(), ...added].filter((text) => text !== "").join("\n");
  const heading = version === null ? UNRELEASED : `${UNRELEASED}\n\n## ${version}`;
  return `${before}${heading}\n${body === "" ? "" : `\n${body}\n`}${older}`;
}
