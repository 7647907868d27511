/**
 * What the Grid refuses, and what that means. It stops at the first error, whose text mostly names
 * the record.
 */
import { fieldsOf, textOf } from "@zonekeeper/kube/objects/object-fields";
import type { ChangeGroup } from "../../plan/changes.ts";
import { nameFromUnicode } from "../shared/dotted-rdata.ts";
import type { JsonAnswer } from "../shared/json-call.ts";
import { type RefusalTable, RefusedCall } from "../shared/refused-call.ts";
import { namesOf } from "../shared/vendor-session.ts";

/** `{"Error": …, "code": …, "text": …}`, or a page for browsers. */
export function toRefusal({ status, json, retryAfterMs }: JsonAnswer): RefusedCall {
  const { text, Error: error, code } = fieldsOf(json);
  return new RefusedCall({
    status,
    // `record:a/ZG5z…:www.example.org/default`: the handle in the middle tells people nothing.
    text: (textOf(text) ?? textOf(error) ?? "").replace(/\/[A-Za-z0-9+/=_-]{12,}:/g, " "),
    retryAfterMs,
    reason: textOf(code) ?? "",
  });
}

const KEY_REMEDY =
  "correct USERNAME and PASSWORD in the Secret of the DNSProvider, and give the user API access and write rights on the zone";
/** The Grid has no code and no status of its own for it. */
const NO_RIGHT = /permission/i;
/** Of what the call holds; statuses differ between versions, the code does not. */
const CONTENT = /^Client\.Ibap\.(Data|Proto)\b/;

/** See `RefusalTable`. */
export const REFUSALS: RefusalTable = {
  keyRemedy: KEY_REMEDY,
  rows: [
    // The zone is not as it was read: something is there, or is not there any more. The same code
    // stands for other things: no such zone or view, a right that is missing.
    {
      status: /^4/,
      reason: /^Client\.Ibap\.Data\.(Conflict|NotFound)$/,
      text: /^(?!.*(parent was not found|not allowed|permission)|View .* not found)/is,
      is: "changed",
    },
    { status: /^4/, reason: CONTENT, text: NO_RIGHT, is: "refused", remedy: KEY_REMEDY },
    { status: /^4/, reason: CONTENT, is: "refused" },
    { text: NO_RIGHT, is: "key" },
  ],
  codeOf: ({ status }) => `Infoblox${status}`,
};

/** True where the text of a refusal names a record of the group. */
export function isAboutGroup(group: ChangeGroup, text: string): boolean {
  const fragments = new Set(text.split(/[\s'",:;/()]+/).map(nameFromUnicode));
  return namesOf(group).some((name) => fragments.has(name));
}
