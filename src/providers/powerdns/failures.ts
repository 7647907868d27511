/**
 * What the server refuses, and what that means. It stops at the first error, whose text names the
 * record set.
 */
import { fieldsOf, textOf } from "@zonekeeper/kube/objects/object-fields";
import type { ChangeGroup } from "../../plan/changes.ts";
import { withoutDot } from "../shared/dotted-rdata.ts";
import type { JsonAnswer } from "../shared/json-call.ts";
import { type RefusalTable, RefusedCall } from "../shared/refused-call.ts";
import { namesOf } from "../shared/vendor-session.ts";

/** `{"error": …}`, or a plain text. */
export function toRefusal({ status, json, text, retryAfterMs }: JsonAnswer): RefusedCall {
  const body = json ?? text;
  const shown = textOf(fieldsOf(body)["error"]) ?? textOf(body) ?? "";
  return new RefusedCall({ status, text: shown, retryAfterMs });
}

/** Of a call that is refused for what it holds. */
const CONTENT = /^(400|409|413|422)$/;

/** See `RefusalTable`. */
export const REFUSALS: RefusalTable = {
  keyRemedy: "correct ApiKey in the Secret, and webserver-allow-from of the server",
  rows: [
    // A CNAME beside other data: the zone is not as it was read.
    { status: CONTENT, text: /Conflicts with (pre-existing|another) RRset/i, is: "changed" },
    { status: CONTENT, is: "refused" },
  ],
  codeOf: ({ status }) => `PowerDns${status}`,
};

/** `RRset a.example.org. IN A: …`, `Record a.example.org./A '…'`, `Name 'a.example.org.' …` */
const SUBJECT = /^(?:RRset |Record |Name ')(?<name>[^\s/']+)/;

/** True where the text names a record set of the group. */
export function isAboutGroup(group: ChangeGroup, text: string): boolean {
  const name = SUBJECT.exec(text)?.groups?.["name"];
  return name !== undefined && namesOf(group).includes(withoutDot(name));
}
