/**
 * With which of some texts the names of a zone begin. Markers have many possible names, and a zone
 * uses few forms of them: names of the others need not be looked for.
 */
export class UsedBeginnings {
  #unused: ReadonlySet<string>;
  /** Finds a name that begins with an unused text. Null = there is no such text. */
  #pattern: RegExp | null;

  /** `texts`: not empty ones. No name was met yet. */
  constructor(texts: readonly string[]) {
    this.#unused = new Set(texts);
    this.#pattern = patternOf(this.#unused);
  }

  /** Texts with which no name begins that was met; another set as soon as one fewer. */
  get unused(): ReadonlySet<string> {
    return this.#unused;
  }

  /** A name that the zone holds. What it uses stays used. */
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
