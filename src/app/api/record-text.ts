/** Record sets as short lines for people. Pure. */
import type { DesiredRecordSet, RecordSet } from "../../model/record-set.ts";

/** `A 300 192.0.2.1, 192.0.2.2`; a TTL without a wish is left out. */
export function recordText(set: RecordSet | DesiredRecordSet): string {
  const identifier = set.setIdentifier === null ? "" : ` [${set.setIdentifier}]`;
  const ttl = set.ttlSeconds === null ? "" : ` ${set.ttlSeconds}`;
  return `${set.type}${identifier}${ttl} ${set.values.join(", ")}`;
}
