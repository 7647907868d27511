/**
 * Quantities in CEL (k8s.io/apiserver pkg/cel/library/quantity.go, apimachinery resource.Quantity).
 * Kept as whole nano units, which is the finest that a quantity has; smaller parts are rounded up.
 */
import type { Environment } from "@marcbachmann/cel-js";

/** Nano units of one. */
const NANO = 1_000_000_000n;

/** An amount. */
class CelQuantity {
  readonly nano: bigint;

  constructor(nano: bigint) {
    this.nano = nano;
  }
}

/** Powers of ten and of two by suffix, in nano units. */
const SUFFIXES: ReadonlyMap<string, bigint> = new Map([
  ["n", 1n],
  ["u", 10n ** 3n],
  ["m", 10n ** 6n],
  ["", NANO],
  ["k", 10n ** 12n],
  ["M", 10n ** 15n],
  ["G", 10n ** 18n],
  ["T", 10n ** 21n],
  ["P", 10n ** 24n],
  ["E", 10n ** 27n],
  ["Ki", NANO << 10n],
  ["Mi", NANO << 20n],
  ["Gi", NANO << 30n],
  ["Ti", NANO << 40n],
  ["Pi", NANO << 50n],
  ["Ei", NANO << 60n],
]);

/** Adds the functions. */
export function registerQuantities(environment: Environment): void {
  const type = "kubernetes.Quantity";
  environment.registerType(type, { ctor: CelQuantity, fields: {} });
  environment.registerFunction("isQuantity(string): bool", (text: string) => parse(text) !== null);
  environment.registerFunction(`quantity(string): ${type}`, quantity);
  environment.registerFunction(`${type}.sign(): int`, (each: CelQuantity) => sign(each.nano));
  environment.registerFunction(
    `${type}.isInteger(): bool`,
    (each: CelQuantity) => each.nano % NANO === 0n,
  );
  environment.registerFunction(`${type}.asInteger(): int`, (each: CelQuantity) => {
    if (each.nano % NANO !== 0n) throw new Error("cannot convert value to integer");
    return each.nano / NANO;
  });
  environment.registerFunction(
    `${type}.asApproximateFloat(): double`,
    (each: CelQuantity) => Number(each.nano) / Number(NANO),
  );
  for (const [name, test] of [
    ["isLessThan", (difference: bigint) => difference < 0n],
    ["isGreaterThan", (difference: bigint) => difference > 0n],
  ] as const)
    environment.registerFunction(
      `${type}.${name}(${type}): bool`,
      (a: CelQuantity, b: CelQuantity) => test(a.nano - b.nano),
    );
  environment.registerOperator(
    `${type} == ${type}`,
    (a: CelQuantity, b: CelQuantity) => a.nano === b.nano,
  );
  environment.registerFunction(
    `${type}.compareTo(${type}): int`,
    (a: CelQuantity, b: CelQuantity) => sign(a.nano - b.nano),
  );
  for (const [name, factor] of [
    ["add", 1n],
    ["sub", -1n],
  ] as const) {
    environment.registerFunction(
      `${type}.${name}(${type}): ${type}`,
      (a: CelQuantity, b: CelQuantity) => new CelQuantity(a.nano + factor * b.nano),
    );
    environment.registerFunction(
      `${type}.${name}(int): ${type}`,
      (a: CelQuantity, b: bigint) => new CelQuantity(a.nano + factor * b * NANO),
    );
  }
}

const sign = (value: bigint): bigint => (value < 0n ? -1n : BigInt(value > 0n));

function quantity(text: string): CelQuantity {
  const parsed = parse(text);
  if (parsed === null)
    throw new Error(
      "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
    );
  return parsed;
}

/** Digits that are looked at: more would make numbers of any length. */
const DIGITS_MAX = 40;

/** Sign, digits, and a power of ten or a suffix. */
const QUANTITY =
  /^(?<sign>[+-]?)(?<whole>\d*)(?:\.(?<part>\d*))?(?:[eE](?<power>[+-]?\d{1,2})|(?<suffix>[numkMGTPE]?|[KMGTPE]i))$/;

function parse(text: string): CelQuantity | null {
  const groups = QUANTITY.exec(text)?.groups;
  if (groups === undefined) return null;
  const read = (name: string): string => groups[name] ?? "";
  const digits = read("whole") + read("part");
  const unit = SUFFIXES.get(read("suffix"));
  if (digits === "" || digits.length > DIGITS_MAX || unit === undefined) return null;
  const exponent = BigInt(Number(read("power")) - read("part").length);
  const amount = BigInt(digits) * unit;
  const scaled = exponent >= 0n ? amount * 10n ** exponent : roundedUp(amount, 10n ** -exponent);
  return new CelQuantity(read("sign") === "-" ? -scaled : scaled);
}

const roundedUp = (amount: bigint, divisor: bigint): bigint => (amount + divisor - 1n) / divisor;
