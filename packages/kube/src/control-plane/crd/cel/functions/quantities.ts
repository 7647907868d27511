/**
 * Quantities in CEL (k8s.io/apiserver pkg/cel/library/quantity.go, apimachinery resource.Quantity).
 * Kept as whole nano units, which is the finest that a quantity has; smaller parts are rounded up.
 */
import type { Environment } from "@marcbachmann/cel-js";
import { type CelFunctions, registerAll } from "./register.ts";

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

const TYPE = "kubernetes.Quantity";
const added = (a: CelQuantity, nano: bigint): CelQuantity => new CelQuantity(a.nano + nano);

const FUNCTIONS: CelFunctions = {
  "isQuantity(string): bool": (text: string) => parse(text) !== null,
  [`quantity(string): ${TYPE}`]: quantity,
  [`${TYPE}.sign(): int`]: (each: CelQuantity) => sign(each.nano),
  [`${TYPE}.isInteger(): bool`]: (each: CelQuantity) => each.nano % NANO === 0n,
  [`${TYPE}.asInteger(): int`]: (each: CelQuantity) => {
    if (each.nano % NANO !== 0n) throw new Error("cannot convert value to integer");
    return each.nano / NANO;
  },
  [`${TYPE}.asApproximateFloat(): double`]: (each: CelQuantity) => Number(each.nano) / Number(NANO),
  [`${TYPE}.isLessThan(${TYPE}): bool`]: (a: CelQuantity, b: CelQuantity) => a.nano < b.nano,
  [`${TYPE}.isGreaterThan(${TYPE}): bool`]: (a: CelQuantity, b: CelQuantity) => a.nano > b.nano,
  [`${TYPE}.compareTo(${TYPE}): int`]: (a: CelQuantity, b: CelQuantity) => sign(a.nano - b.nano),
  [`${TYPE}.add(${TYPE}): ${TYPE}`]: (a: CelQuantity, b: CelQuantity) => added(a, b.nano),
  [`${TYPE}.sub(${TYPE}): ${TYPE}`]: (a: CelQuantity, b: CelQuantity) => added(a, -b.nano),
  [`${TYPE}.add(int): ${TYPE}`]: (a: CelQuantity, b: bigint) => added(a, b * NANO),
  [`${TYPE}.sub(int): ${TYPE}`]: (a: CelQuantity, b: bigint) => added(a, -b * NANO),
};

/** Adds the functions. */
export function registerQuantities(environment: Environment): void {
  environment.registerType(TYPE, { ctor: CelQuantity, fields: {} });
  registerAll(environment, FUNCTIONS);
  environment.registerOperator(
    `${TYPE} == ${TYPE}`,
    (a: CelQuantity, b: CelQuantity) => a.nano === b.nano,
  );
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
