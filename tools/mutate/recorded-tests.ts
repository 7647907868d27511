/**
 * Stands in for vitest while mutants run: writes tests down instead of running them, so that one
 * process can run each of them again and again. Knows what our unit tests use of vitest and nothing
 * else.
 */
export { expect } from "vitest";

type Body = (...row: readonly unknown[]) => unknown;

/** A test with the hooks of its file and its groups. */
export interface RecordedTest {
  /** Its file and its titles. */
  readonly name: string;
  /** Throws what the test throws. */
  readonly run: () => Promise<void>;
}

interface Scope {
  readonly title: string;
  readonly outer: Scope | null;
  readonly before: Body[];
  readonly after: Body[];
}

const recorded: RecordedTest[] = [];
let scope = scopeOf("", null);

/** Every test, in the order of the files. */
export function recordedTests(): readonly RecordedTest[] {
  return recorded;
}

/** What is declared from now on is this file's. */
export function startFile(path: string): void {
  scope = scopeOf(path, null);
}

/** As vitest's; options and time limits do not count. */
export const test = Object.assign(declareTest, { each: eachRow(declareTest) });

/** As vitest's. */
export const describe = Object.assign(declareGroup, { each: eachRow(declareGroup) });

/** As vitest's. */
export function beforeEach(hook: Body): void {
  scope.before.push(hook);
}

/** As vitest's. */
export function afterEach(hook: Body): void {
  scope.after.push(hook);
}

function declareTest(title: string, body: Body): void {
  const own = scope;
  const name = `${chainOf(own)
    .map((one) => one.title)
    .join(" > ")} > ${title}`;
  recorded.push({ name, run: () => runIn(chainOf(own), body) });
}

function declareGroup(title: string, body: Body): void {
  const outer = scope;
  scope = scopeOf(title, outer);
  body();
  scope = outer;
}

async function runIn(chain: readonly Scope[], body: Body): Promise<void> {
  try {
    for (const hook of chain.flatMap(({ before }) => before)) await hook();
    await body();
  } finally {
    for (const hook of chain.flatMap(({ after }) => after)) await hook();
  }
}

/** Outermost first. */
function chainOf(own: Scope): readonly Scope[] {
  return own.outer === null ? [own] : [...chainOf(own.outer), own];
}

function scopeOf(title: string, outer: Scope | null): Scope {
  return { title, outer, before: [], after: [] };
}

function eachRow(declare: (title: string, body: Body) => void) {
  return (rows: readonly unknown[]) => (title: string, body: Body) => {
    for (const [index, row] of rows.entries())
      declare(`${title} [${index}]`, () => body(...(Array.isArray(row) ? row : [row])));
  };
}
