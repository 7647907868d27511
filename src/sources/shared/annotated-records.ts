/**
 * Records of an object whose names and targets are known, with what its annotations say of all of
 * them: TTL, look-ups, transfer. Without targets, or with ones that cannot be read, a name waits
 * and keeps what stands (Z-4, Z-5).
 */
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import type { KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import { objectKeyOf } from "../../model/kinds.ts";
import type { Problem } from "../../model/problem.ts";
import { type Provenance, resourceOf } from "../../model/provenance.ts";
import type { DesiredRecordSet } from "../../model/record-set.ts";
import { type Found, NOTHING, type Waiting } from "../source.ts";
import { annotatedTtl, annotationProblem, TTL_ANNOTATION } from "./annotations.ts";
import { desiredSets, PROBLEM_WAIT, sortedFound, waitingFor } from "./found.ts";
import { readLookup } from "./lookup-request.ts";
import type { TargetsRead } from "./reported-targets.ts";
import { readTransfer } from "./transfer-annotations.ts";

/** The names an object asks for, and where it stands. */
export interface AnnotatedRecords {
  readonly object: KubeObject;
  readonly provenance: Provenance;
  readonly names: readonly DnsName[];
  /** Names that are listed but cannot be published; they keep what stands. */
  readonly kept: readonly DnsName[];
  readonly problems: readonly Problem[];
  readonly complete: boolean;
  /** The annotation that has the TTL; absent = `dns.gardener.cloud/ttl`. */
  readonly ttlKey?: string;
}

/**
 * Publishes at every name what `targetsOf` answers for it. An edit that mistypes an annotation is a
 * mistake as a whole: until it is corrected nothing of the object goes (Z-5).
 */
export function annotatedRecords(
  wanted: AnnotatedRecords,
  targetsOf: (name: DnsName, asksForAddresses: boolean) => TargetsRead,
): Found<DesiredRecordSet> {
  const { object, names } = wanted;
  const { transfer, problems: refused } = readTransfer(object);
  const problems = [...wanted.problems, ...refused];
  const kept = waitingFor(wanted.kept, PROBLEM_WAIT);
  const base = { ...NOTHING, problems, complete: wanted.complete };
  const mistyped = (problem: Problem): Found<DesiredRecordSet> =>
    sortedFound({
      ...base,
      waiting: [...kept, ...waitingFor(names, PROBLEM_WAIT)],
      problems: [...problems, problem],
      /* clause: unreadable-ttl-removes-nothing */ complete: false,
    });
  const { ttlKey = TTL_ANNOTATION } = wanted;
  const ttl = annotatedTtl(object, ttlKey);
  if (!ttl.ok)
    return /* clause: unreadable-ttl-is-a-mistake */ mistyped(
      annotationProblem(object, ttlKey, { code: "InvalidTtl", message: ttl.error }),
    );
  const lookup = readLookup(object, {});
  if (!lookup.ok)
    return mistyped({ ...lookup.error, subject: resourceOf(objectKeyOf(object, "")) });
  const { asksForAddresses, lookupSeconds } = lookup.value;
  const ofItems = transfer === undefined ? {} : { transfer };
  const origin = { ...wanted, ttlSeconds: ttl.value, lookupSeconds, ...ofItems };
  const items: DesiredRecordSet[] = [];
  const waiting: Waiting[] = [...kept];
  // Names with the same targets have one problem.
  const reported = new Map<string, Problem>();
  for (const name of names) {
    const read = targetsOf(name, asksForAddresses);
    const problemsOfName = "problem" in read ? [read.problem] : read.remarks;
    for (const problem of problemsOfName) reported.set(JSON.stringify(problem), problem);
    if ("problem" in read) {
      waiting.push({ name, reason: PROBLEM_WAIT });
      continue;
    }
    // clause: no-targets-keep-names
    if (read.typed.length === 0) waiting.push({ name, reason: "NoTargets" });
    items.push(...desiredSets(name, read.typed, origin));
  }
  return sortedFound({ ...base, items, waiting, problems: [...problems, ...reported.values()] });
}
