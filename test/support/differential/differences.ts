/**
 * Each name of a world in each of its states, judged: both programs leave what their rules say, and
 * where they differ, a reason of the guide decided. Everything else is a fault.
 */
import type { Answers } from "./answers.ts";
import {
  lineText,
  MANAGED,
  type MarkedLine,
  recordsIn,
  type Wanting,
  wantedIn,
} from "./name-facts.ts";
import { leftByUs } from "./our-answers.ts";
import { leftByOurRules, type Reason } from "./our-rules.ts";
import { leftByTheirRules } from "./their-rules.ts";
import { type Endpoint, NODES, statesOf, type World } from "./worlds.ts";

/** A name in a state of its world. */
export interface Judged {
  readonly name: string;
  /** `fresh`, `moved in`, `edit 1` and so on. */
  readonly state: string;
  /** Of external-dns, where it was asked in this state; else null. */
  readonly expected: readonly string[] | null;
  readonly actual: readonly string[];
  /** Rules that decided here, and at this name before. */
  readonly reasons: readonly Reason[];
  /** Null = none. */
  readonly fault: string | null;
}

type Zone = ReadonlyMap<string, readonly MarkedLine[]>;

/** Asks zonekeeper for all of them at once. `answers`: of external-dns, one for each world. */
export async function judgeWorlds(
  worlds: readonly World[],
  answers: readonly Answers[],
): Promise<readonly Judged[]> {
  const states = worlds.map(statesOf);
  const count = Math.max(...states.map(({ length }) => length));
  const steps = Array.from({ length: count }, (_, step) => [
    ...NODES,
    ...states.flatMap((all) => all[Math.min(step, all.length - 1)] ?? []),
  ]);
  const zone = worlds.flatMap((one) => one.zone);
  const [fresh = []] = await leftByUs(zone, steps.slice(0, 1));
  const left = await leftByUs(
    answers.flatMap(({ first }) => first),
    steps,
  );
  return worlds.flatMap((world, at) => {
    const own = (all: readonly Endpoint[]): Zone =>
      recordsIn(all.filter(({ dnsName }) => dnsName.endsWith(`.${world.domain}`)));
    const wanting = (states[at] ?? []).map(wantedIn);
    const [theirFirst, theirLast] = [
      recordsIn(answers[at]?.first ?? []),
      recordsIn(answers[at]?.second ?? []),
    ];
    const zones = left.slice(0, wanting.length).map(own);
    const before = { externalDns: recordsIn(world.zone), zonekeeper: recordsIn(world.zone) };
    const seen = new Map<string, Set<Reason>>();
    const vacated = new Set<string>();
    const judged = wanting.map((now, step) => {
      const isLast = step === wanting.length - 1;
      return judgeState({
        ...{ state: step === 0 ? "moved in" : `edit ${step}`, now, past: wanting.slice(0, step) },
        before: { externalDns: theirFirst, zonekeeper: zones[step - 1] ?? theirFirst },
        expected: step === 0 ? theirFirst : isLast ? theirLast : null,
        ...{ actual: zones[step] ?? new Map(), seen, vacated },
      });
    });
    const first = { state: "fresh", now: wanting[0] ?? [], past: [], before, expected: theirFirst };
    return [
      ...judgeState({ ...first, actual: own(fresh), seen: new Map(), vacated: new Set() }),
      ...judged.flat(),
    ];
  });
}

interface State {
  readonly state: string;
  readonly now: readonly Wanting[];
  readonly past: readonly (readonly Wanting[])[];
  readonly before: { readonly externalDns: Zone; readonly zonekeeper: Zone };
  readonly expected: Zone | null;
  readonly actual: Zone;
  /** Filled with the reasons at each name. */
  readonly seen: Map<string, Set<Reason>>;
  /** Filled with names and types without a record for a time: external-dns was not asked then. */
  readonly vacated: Set<string>;
}

function judgeState(state: State): readonly Judged[] {
  const { now, before, expected, actual } = state;
  const zones = [before.externalDns, before.zonekeeper, expected ?? new Map(), actual];
  const names = new Set(
    [...zones, ...now.map(({ wishes }) => wishes)].flatMap((one) => [...one.keys()]),
  );
  return [...names].sort().map((name) => judgeName(name, state));
}

function judgeName(name: string, state: State): Judged {
  const { now, past, before, actual, seen, vacated } = state;
  const zonekeeper = leftByOurRules({
    ...{ name, now, past, standing: before.zonekeeper.get(name) ?? [] },
    leftAt: (other) => actual.get(other) ?? [],
  });
  const reasons = new Set([...(seen.get(name) ?? []), ...zonekeeper.reasons]);
  seen.set(name, reasons);
  const expected = state.expected === null ? null : linesAt(state.expected, name);
  const lines = linesAt(actual, name);
  const wishes = now.flatMap((one) => one.wishes.get(name) ?? []);
  const externalDns = before.externalDns.get(name) ?? [];
  const isVacated = ({ type }: MarkedLine): boolean => vacated.has(`${name} ${type}`);
  const fault = (): string | null => {
    if (zonekeeper.left.map(lineText).sort().join() !== lines.join())
      return `our rules say ${zonekeeper.left.map(lineText).join("; ")}`;
    if (expected === null) return null;
    const byRule = leftByTheirRules(externalDns, wishes);
    if (!isAmong(expected, byRule) && state.state !== "moved in")
      return `their rules say ${[...byRule.values()].join("; ")}`;
    if (reasons.size > 0 || expected.join() === lines.join()) return null;
    // Had it been asked in between, the record would be a new one there, too.
    const since = externalDns.filter((one) => !isVacated(one));
    return since.length < externalDns.length && isAmong(lines, leftByTheirRules(since, wishes))
      ? null
      : "no reason";
  };
  const found = fault();
  for (const type of MANAGED)
    if (!lines.some((line) => line.split(" ")[1] === type)) vacated.add(`${name} ${type}`);
  return {
    name,
    state: state.state,
    expected,
    actual: lines,
    reasons: [...reasons],
    fault: found,
  };
}

/** `byRule`: by type the lines of which there is one; an empty text = none. */
function isAmong(
  lines: readonly string[],
  byRule: ReadonlyMap<string, readonly string[]>,
): boolean {
  return [...byRule].every(([type, all]) =>
    all.includes(lines.find((line) => line.split(" ")[1] === type) ?? ""),
  );
}

/** Of both programs, where external-dns was asked. */
export function isDifferent({ expected, actual }: Judged): boolean {
  return expected !== null && expected.join() !== actual.join();
}

function linesAt(zone: Zone, name: string): readonly string[] {
  return (zone.get(name) ?? []).map(lineText).sort();
}
