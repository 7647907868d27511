/**
 * What the suites import as `vitest` in the package: the runner that an author has handed in
 * (node:test or vitest), and the assertions of the suites on node:assert. script/pack-packages.mjs
 * puts it in vitest's place; in this repository the suites run on vitest itself.
 */
import { deepStrictEqual, match, ok, strictEqual } from "node:assert";
import { isDeepStrictEqual } from "node:util";

/** What the suites take of a runner: the functions of node:test, and those of vitest. */
export interface SuiteRunner {
  readonly describe: (title: string, body: () => void) => unknown;
  readonly test: (title: string, body: () => Promise<void> | void) => unknown;
  /** `before` of node:test, `beforeAll` of vitest. */
  readonly before: (body: () => Promise<void>) => unknown;
  /** `after` of node:test, `afterAll` of vitest. */
  readonly after: (body: () => Promise<void>) => unknown;
  readonly afterEach: (body: () => void) => unknown;
}

let runner: SuiteRunner | null = null;

/** Declares suites on this runner. */
export function declareOn(given: SuiteRunner, declare: () => void): void {
  const before = runner;
  runner = given;
  try {
    declare();
  } finally {
    runner = before;
  }
}

function current(): SuiteRunner {
  if (runner === null) throw new Error("a suite is declared while its runner is known");
  return runner;
}

type Body = (...given: readonly never[]) => Promise<void> | void;

/** Cases of a list: each element is spread over the parameters if it is a list itself. */
const eachOf =
  (declare: (title: string, body: () => Promise<void> | void) => void, isSpread: boolean) =>
  (cases: readonly unknown[]) =>
  (title: string, body: Body): void => {
    for (const one of cases) {
      const given = isSpread && Array.isArray(one) ? one : [one];
      const texts = [...(Array.isArray(one) ? one : [one])].map(String);
      const name = title.replace(/%[a-z]/g, () => texts.shift() ?? "");
      declare(name, () => body(...([...given, context()] as never[])));
    }
  };

/** Of one case; what a back end lacks is noted there. */
const context = () => ({ task: { meta: {} } });

const declareTest = (title: string, body: Body): void => {
  current().test(title, () => body(...([context()] as never[])));
};

export const test = Object.assign(declareTest, {
  each: eachOf(declareTest, true),
  for: eachOf(declareTest, false),
});

/** Vitest runs the body of a group after the file, node:test at once. */
const declareGroup = (title: string, body: () => void): void => {
  const own = current();
  own.describe(title, () => declareOn(own, body));
};

export const describe = Object.assign(declareGroup, { each: eachOf(declareGroup, true) });
export const beforeAll = (body: () => Promise<void>): unknown => current().before(body);
export const afterAll = (body: () => Promise<void>): unknown => current().after(body);
export const afterEach = (body: () => void): unknown => current().afterEach(body);

/** Suites look at their own cases only where some are known to fail. */
export const TestRunner = {
  getCurrentSuite: (): { readonly tasks: readonly { readonly name: string }[] } => ({ tasks: [] }),
};

/** A value that is compared by a rule. */
class Matching {
  readonly isRight: (value: unknown) => boolean;

  constructor(isRight: (value: unknown) => boolean) {
    this.isRight = isRight;
  }
}

/** Asserts what the suites ask of a value; `note` goes before the message. */
function expectation(value: unknown, note = "") {
  return {
    toBe: (other: unknown) => strictEqual(value, other, note || undefined),
    toBeNull: () => strictEqual(value, null, note || undefined),
    toBeUndefined: () => strictEqual(value, undefined, note || undefined),
    toEqual: (other: unknown) => {
      if (!isLike(value, other, false)) deepStrictEqual(value, other, note || undefined);
    },
    toMatchObject: (other: unknown) => {
      if (!isLike(value, other, true)) deepStrictEqual(value, other, note || undefined);
    },
    toContain: (part: string) => ok(hasPart(value, part), note || `${value} has no ${part}`),
    toHaveLength: (length: number) => strictEqual((value as readonly unknown[]).length, length),
    toMatch: (pattern: RegExp) => match(String(value), pattern),
    toBeGreaterThan: (least: number) => ok(Number(value) > least, `${value} > ${least}`),
    toBeGreaterThanOrEqual: (least: number) => ok(Number(value) >= least, `${value} >= ${least}`),
    toBeLessThanOrEqual: (most: number) => ok(Number(value) <= most, `${value} <= ${most}`),
    not: {
      toBe: (other: unknown) => ok(!Object.is(value, other), note),
      toBeNull: () => ok(value !== null, note),
      toContain: (part: string) => ok(!hasPart(value, part), note || `${value} has ${part}`),
      toEqual: (other: unknown) => ok(!isLike(value, other, false), note),
    },
  };
}

export const expect = Object.assign(
  (value: unknown, note?: string) => ({
    ...expectation(value, note),
    rejects: {
      toMatchObject: async (other: unknown) => {
        const thrown = await Promise.resolve(value).then(
          () => null,
          (error: unknown) => error,
        );
        expectation(thrown).toMatchObject(other);
      },
    },
  }),
  {
    arrayContaining: (elements: readonly unknown[]) =>
      new Matching(
        (value) =>
          Array.isArray(value) &&
          elements.every((part) => value.some((one) => isLike(one, part, false))),
      ),
    stringMatching: (pattern: RegExp) => new Matching((value) => pattern.test(String(value))),
  },
);

/** Of a text, a list or a set. */
function hasPart(value: unknown, part: string): boolean {
  if (typeof value === "string") return value.includes(part);
  return new Set(value as Iterable<unknown>).has(part);
}

/** Equality of data; absent and undefined are one. `isPart`: further fields are not looked at. */
function isLike(value: unknown, other: unknown, isPart: boolean): boolean {
  if (other instanceof Matching) return other.isRight(value);
  if (typeof other !== "object" || other === null) return isDeepStrictEqual(value, other);
  if (typeof value !== "object" || value === null) return false;
  if (other instanceof Set || other instanceof Map) return isDeepStrictEqual(value, other);
  if (Array.isArray(other) && (!Array.isArray(value) || value.length !== other.length))
    return false;
  const keys = isPart ? Object.keys(other) : [...Object.keys(value), ...Object.keys(other)];
  return keys.every((key) => isLike(Reflect.get(value, key), Reflect.get(other, key), isPart));
}
