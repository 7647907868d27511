/**
 * What external-dns 0.22 leaves at a name (`endpoint.MergeEndpoints`, `source/service.go`,
 * `plan/plan.go`, `plan/conflict.go`). Where the order of a Go map decides there are several lines.
 */
import { compareText } from "@zonekeeper/base/compare-text";
import { type Line, lineText, MANAGED, type MarkedLine, SOURCES } from "./name-facts.ts";

/** Endpoints that were merged. */
interface Group extends Line {
  /** Its marker names one of these. */
  readonly labels: readonly string[];
  /** Of its source. */
  readonly order: number;
}

/** By type the lines of which it leaves one; an empty text = none. `wishes`: of all objects. */
export function leftByTheirRules(
  standing: readonly MarkedLine[],
  wishes: readonly Line[],
): ReadonlyMap<string, readonly string[]> {
  const groups = merged(wishes);
  // Addresses come before a CNAME.
  const candidates = groups.filter((one) => !groups.some((other) => isBefore(other, one)));
  const isTaken = standing.some(({ owner }) => owner !== "me");
  return new Map(
    MANAGED.map((type) => {
      const current = standing.find((one) => one.type === type) ?? null;
      const classes = classesOf(candidates.filter((one) => one.type === type));
      return [type, linesOf(current, classes, isTaken)];
    }),
  );
}

function isBefore(other: Line, one: Line): boolean {
  return one.type === "CNAME" && other.type !== "CNAME";
}

function linesOf(
  current: MarkedLine | null,
  classes: readonly (readonly Group[])[],
  isTaken: boolean,
): readonly string[] {
  const [least = []] = classes;
  if (current !== null && current.owner !== "me") return [lineText(current)];
  if (least.length === 0 || (current === null && isTaken)) return [""];
  if (current === null) return least.map(lineText);
  return winnersOf(current, classes).map((one) => lineText(isUpdate(current, one) ? one : current));
}

/** The first one that its marker names, else the least. */
function winnersOf(current: MarkedLine, classes: readonly (readonly Group[])[]): readonly Group[] {
  const winners: Group[] = [];
  for (const one of classes) {
    winners.push(...one.filter(({ labels }) => labels.includes(current.resource)));
    if (one.every(({ labels }) => labels.every((label) => label === current.resource)))
      return winners;
  }
  return [...winners, ...(classes[0] ?? [])];
}

function isUpdate(current: Line, { ttl, values }: Line): boolean {
  return values.join() !== current.values.join() || (ttl !== null && ttl !== current.ttl);
}

/** Those of one source, type and TTL; addresses of Services whatever their TTL. */
function merged(wishes: readonly Line[]): readonly Group[] {
  const groups = new Map<string, Group>();
  for (const one of [...wishes].sort((a, b) => compareText(a.resource, b.resource))) {
    const [kind = ""] = one.resource.split("/");
    const isHost = one.type === "CNAME";
    const isOfService = kind === "service" && !isHost;
    const key = [kind, one.type, isOfService || one.ttl, isHost && one.values].join();
    const known = groups.get(key);
    const values = [...new Set([...(known?.values ?? []), ...one.values])].sort();
    const labels = isOfService && known ? known.labels : [...(known?.labels ?? []), one.resource];
    const order = SOURCES.findIndex((source) => source.kind === kind);
    groups.set(key, {
      ...one,
      ttl: known === undefined ? one.ttl : known.ttl,
      values,
      labels,
      order,
    });
  }
  return [...groups.values()];
}

/** Candidates by their values, the least first; of equal ones those of the first source. */
function classesOf(groups: readonly Group[]): readonly (readonly Group[])[] {
  const classes = new Map<string, Group[]>();
  for (const one of [...groups].sort((a, b) => compareTargets(a, b) || a.order - b.order)) {
    const equal = classes.get(one.values.join());
    if (equal === undefined) classes.set(one.values.join(), [one]);
    else if (equal[0]?.order === one.order) equal.push(one);
  }
  return [...classes.values()];
}

/** Addresses before host names, fewer before more, then each by number, in the order of texts. */
export function compareTargets(a: Line, b: Line): number {
  // A CNAME has the last of their names.
  if (a.type !== b.type) return compareText(a.type, b.type);
  const keyOf = ({ type, values }: Line): string =>
    values
      .map((one) => (type === "A" ? one.replace(/\d+/g, (part) => part.padStart(3, "0")) : one))
      .join();
  return a.values.length - b.values.length || compareText(keyOf(a), keyOf(b));
}
