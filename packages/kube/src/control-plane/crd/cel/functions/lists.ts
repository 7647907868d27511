/**
 * Lists in CEL: the functions of Kubernetes (k8s.io/apiserver pkg/cel/library/lists.go) and
 * cel-go's `sets`.
 */
import type { Environment } from "@marcbachmann/cel-js";
import { equalCel } from "../values.ts";
import { type CelFunctions, registerAll } from "./register.ts";

/** The namespace `sets`; it has no value. */
class SetsNamespace {
  readonly name = "sets";
}

type List = readonly unknown[];

const containsAll = (all: List, some: List): boolean =>
  some.every((each) => all.some((other) => equalCel(each, other)));

const FUNCTIONS: CelFunctions = {
  "list.isSorted(): bool": (list: List) =>
    list.every((each, index) => index === 0 || compare(list[index - 1], each) <= 0),
  "list.sum(): dyn": sum,
  "list.min(): dyn": (list: List) => extreme(list, -1),
  "list.max(): dyn": (list: List) => extreme(list, 1),
  "list.indexOf(dyn): int": (list: List, value: unknown) =>
    BigInt(list.findIndex((each) => equalCel(each, value))),
  "list.lastIndexOf(dyn): int": (list: List, value: unknown) =>
    BigInt(list.findLastIndex((each) => equalCel(each, value))),
  "SetsNamespace.contains(list, list): bool": (_sets: unknown, all: List, some: List) =>
    containsAll(all, some),
  "SetsNamespace.equivalent(list, list): bool": (_sets: unknown, a: List, b: List) =>
    containsAll(a, b) && containsAll(b, a),
  "SetsNamespace.intersects(list, list): bool": (_sets: unknown, a: List, b: List) =>
    a.some((each) => b.some((other) => equalCel(each, other))),
};

/** Adds the functions. */
export function registerLists(environment: Environment): void {
  environment.registerType("SetsNamespace", SetsNamespace);
  environment.registerConstant("sets", "SetsNamespace", new SetsNamespace());
  registerAll(environment, FUNCTIONS);
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

function sum(list: List): unknown {
  if (list.every((each) => typeof each === "bigint"))
    return list.reduce<bigint>((total, each) => total + each, 0n);
  return list.reduce<number>((total, each) => total + Number(each), 0);
}

function extreme(list: List, sign: 1 | -1): unknown {
  if (list.length === 0) throw new Error(`${sign > 0 ? "max" : "min"} called on empty list`);
  return list.reduce((best, each) => (compare(each, best) * sign > 0 ? each : best));
}
