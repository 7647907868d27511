/**
 * Which of some beginnings the names of a zone use. Markers have many possible forms of names, each
 * with a beginning, and a zone uses few of them: the others need not be looked up.
 */
export class UsedBeginnings {
  #unused: ReadonlySet<string>;
  /** Finds a name that begins with an unused text. Null = there is no such text. */
  #pattern: RegExp | null;

  /** `texts`: the beginnings, none of them empty. */
  constructor(texts: readonly string[]) {
    this.#unused = new Set(texts);
    this.#pattern = patternOf(this.#unused);
  }

  /** Beginnings that no name had so far; another set object once there is one fewer. */
  get unused(): ReadonlySet<string> {
    return this.#unused;
  }

  /** Notes a name of the zone; a beginning that was used once counts as used for good. */
  meet(name: string): void {
    if (this.#pattern?.test(name) !== true) return;
    this.#unused = new Set([...this.#unused].filter((text) => !name.startsWith(text)));
    this.#pattern = patternOf(this.#unused);
  }
}

function patternOf(texts: ReadonlySet<string>): RegExp | null {
  if (texts.size === 0) return null;
  const escaped = [...texts].map((text) => text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"));
  return new RegExp(`^(?:${escaped.join("|")})`);
}
