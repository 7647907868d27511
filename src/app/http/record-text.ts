/** Record sets and changes as short lines for people. Pure. */

import type { DesiredRecordSet, RecordSet } from "../../model/record-set.ts";
import type { KeyChange } from "../../plan/changes.ts";

/** `A 300 192.0.2.1, 192.0.2.2`; a TTL without a wish is left out. */
export function recordText(set: RecordSet | DesiredRecordSet): string {
  const identifier = set.setIdentifier === null ? "" : ` [${set.setIdentifier}]`;
  const ttl = set.ttlSeconds === null ? "" : ` ${set.ttlSeconds}`;
  return `${set.type}${identifier}${ttl} ${set.values.join(", ")}`;
}

/** `~ A 300 192.0.2.1 -> A 300 192.0.2.2`, as zone text with `+`, `-`, `~`; `=` for a change of the marker only. */
export function changeText({ key, change }: KeyChange): string {
  if (change === null) return `= ${key.type} (marker only)`;
  switch (change.op) {
    case "create":
      return `+ ${recordText(change.next)}`;
    case "remove":
      return `- ${recordText(change.previous)}`;
    case "replace":
      return `~ ${recordText(change.previous)} -> ${recordText(change.next)}`;
  }
}
