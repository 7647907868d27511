/**
 * Lists in CEL: the functions of Kubernetes (k8s.io/apiserver pkg/cel/library/lists.go) and
 * cel-go's `sets`.
 */
import type { Environment } from "@marcbachmann/cel-js";
import { equalCel } from "../values.ts";

/** The namespace `sets`; it has no value. */
class SetsNamespace {
  readonly name = "sets";
}

/** Adds the functions. */
export function registerLists(environment: Environment): void {
  environment.registerFunction("list.isSorted(): bool", (list: readonly unknown[]) =>
    list.every((each, index) => index === 0 || compare(list[index - 1], each) <= 0),
  );
  environment.registerFunction("list.sum(): dyn", sum);
  environment.registerFunction("list.min(): dyn", (list: readonly unknown[]) => extreme(list, -1));
  environment.registerFunction("list.max(): dyn", (list: readonly unknown[]) => extreme(list, 1));
  environment.registerFunction(
    "list.indexOf(dyn): int",
    (list: readonly unknown[], value: unknown) =>
      BigInt(list.findIndex((each) => equalCel(each, value))),
  );
  environment.registerFunction(
    "list.lastIndexOf(dyn): int",
    (list: readonly unknown[], value: unknown) =>
      BigInt(list.findLastIndex((each) => equalCel(each, value))),
  );
  environment.registerType("SetsNamespace", SetsNamespace);
  environment.registerConstant("sets", "SetsNamespace", new SetsNamespace());
  environment.registerFunction("SetsNamespace.contains(list, list): bool", containsAll);
  environment.registerFunction(
    "SetsNamespace.equivalent(list, list): bool",
    (sets: unknown, a: readonly unknown[], b: readonly unknown[]) =>
      containsAll(sets, a, b) && containsAll(sets, b, a),
  );
  environment.registerFunction(
    "SetsNamespace.intersects(list, list): bool",
    (_sets: unknown, a: readonly unknown[], b: readonly unknown[]) =>
      a.some((each) => b.some((other) => equalCel(each, other))),
  );
}

function containsAll(_sets: unknown, all: readonly unknown[], some: readonly unknown[]): boolean {
  return some.every((each) => all.some((other) => equalCel(each, other)));
}

/** Below zero, zero or above, of values of one type that have an order. */
function compare(a: unknown, b: unknown): number {
  if (typeof a === "bigint" && typeof b === "bigint") return a < b ? -1 : Number(a > b);
  if (typeof a === "string" && typeof b === "string") return a < b ? -1 : Number(a > b);
  const left = Number(a);
  const right = Number(b);
  if (Number.isNaN(left) || Number.isNaN(right)) throw new Error("no such overload");
  return left - right;
}

function sum(list: readonly unknown[]): unknown {
  if (list.every((each) => typeof each === "bigint"))
    return list.reduce<bigint>((total, each) => total + each, 0n);
  return list.reduce<number>((total, each) => total + Number(each), 0);
}

function extreme(list: readonly unknown[], sign: 1 | -1): unknown {
  if (list.length === 0) throw new Error(`${sign > 0 ? "max" : "min"} called on empty list`);
  return list.reduce((best, each) => (compare(each, best) * sign > 0 ? each : best));
}
