/**
 * Several external-dns in one process (`--set`): the first one's configuration decides what they
 * share, the others have their own owner ids, filters, providers and zones. Pure.
 */
import { fail, ok, type Result } from "@zonekeeper/base/result";
import { isAtOrBelow } from "@zonekeeper/dns/names/dns-name";
import { fieldsOf } from "@zonekeeper/kube/objects/object-fields";
import type { Problem } from "../model/problem.ts";
import type { ExternalDnsConfig } from "./external-dns/translate.ts";
import type { ResolvedOptions } from "./resolved-options.ts";
import { type RunConfig, toRunConfig } from "./run-config.ts";

/** Arguments of one of them. */
export interface SpokenSet {
  readonly name: string;
  /** Arguments of this program's own command. */
  readonly args: readonly string[];
  readonly config: ExternalDnsConfig;
}

/** The options of one of them. */
export interface SetOptions {
  /** Empty = it is the only one. */
  readonly name: string;
  readonly options: ResolvedOptions;
  readonly externalDns: ExternalDnsConfig | null;
}

/** Fails with everything that is wrong with any of them, and where they contradict one another. */
export function withSets(sets: readonly SetOptions[]): Result<RunConfig, readonly Problem[]> {
  const problems: Problem[] = [];
  const configs = sets.flatMap(({ name, options, externalDns }) => {
    const read = toRunConfig(options, externalDns);
    if (read.ok) return [{ ...read.value, set: name }];
    problems.push(...read.error.map((one) => (name === "" ? one : inSet(name, one))));
    return [];
  });
  const [first, ...others] = configs;
  if (first === undefined || problems.length > 0) return fail(problems);
  for (const [at, one] of others.entries())
    problems.push(
      ...unlike(first, one),
      ...configs.slice(0, at + 1).flatMap((before) => clashOf(before, one)),
    );
  return problems.length > 0 ? fail(problems) : ok({ ...first, sets: others });
}

/** The problem as one of a set. */
export function inSet(name: string, problem: Problem): Problem {
  return { ...problem, subject: `set ${name}: ${problem.subject}` };
}

function refusal({ set }: RunConfig, flag: string, message: string): Problem {
  return inSet(set, { code: "InvalidOption", subject: flag, message });
}

/** What a process has once. */
const SHARED: Readonly<Record<string, (config: RunConfig) => unknown>> = {
  "--namespace": ({ namespace }) => namespace,
  "--once": ({ isOnce }) => isOnce,
  "--dry-run": ({ publish }) => publish.dryRun,
};

function unlike(first: RunConfig, one: RunConfig): readonly Problem[] {
  return Object.entries(SHARED).flatMap(([flag, of]) => {
    if (of(first) === of(one)) return [];
    const message = `is another one than in set ${first.set}, and one process has one; write it beside --set for all, or give this set a process of its own`;
    return [refusal(one, flag, message)];
  });
}

/** Each would take records of the other one for its own, and remove them. */
function clashOf(before: RunConfig, one: RunConfig): readonly Problem[] {
  if (before.owner !== one.owner || areApart(before.externalDns, one.externalDns)) return [];
  const message = `is ${one.owner} in set ${before.set}, too, and both may write to one zone; give each an id of its own, or other zones (--domain-filter, --zone-id-filter)`;
  return [refusal(one, "--txt-owner-id", message)];
}

/** Whether no zone of the one can be a zone of the other. */
function areApart(a: ExternalDnsConfig | null, b: ExternalDnsConfig | null): boolean {
  if (a === null || b === null) return false;
  const hasOther = TRAITS.some((of) => of(a) !== of(b));
  const ids = a.zones.length > 0 && b.zones.length > 0;
  return (
    hasOther || (ids && !a.zones.some((zone) => b.zones.includes(zone))) || areNamesApart(a, b)
  );
}

/** What another zone has another of; a key or token of another name may lead into the same. */
const TRAITS: readonly ((one: ExternalDnsConfig) => unknown)[] = [
  ({ provider }) => provider.type,
  ({ provider }) => provider.secret["Server"],
  ({ provider }) => fieldsOf(provider.config)["zoneType"],
];

function areNamesApart({ rules: { scope: a } }: ExternalDnsConfig, b: ExternalDnsConfig): boolean {
  const { scope } = b.rules;
  if (![a, scope].every((one) => one.include.length > 0 && (one.patterns ?? null) === null))
    return false;
  return !a.include.some((one) =>
    scope.include.some((other) => isAtOrBelow(one, other) || isAtOrBelow(other, one)),
  );
}
