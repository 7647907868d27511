/**
 * UPDATE messages for tests, written as `nsupdate` takes them (names as in zone-text.ts). Not for
 * odd messages: build those by hand.
 */
import { emptyMessage } from "@zonekeeper/dns/wire/message/compose";
import type { DnsClass, Message, ResourceRecord } from "@zonekeeper/dns/wire/message/message";
import { APEX, linesOf, nameOf, recordsFrom } from "./zone-text.ts";

/** An UPDATE for the test zone with these sections. */
export function updateOf(
  prerequisites: readonly ResourceRecord[],
  updates: readonly ResourceRecord[],
): Message {
  return {
    ...emptyMessage(1),
    opcode: "UPDATE",
    question: [{ name: APEX, type: "SOA", class: "IN" }],
    answer: prerequisites,
    authority: updates,
  };
}

/**
 * Lines: `yxdomain NAME` · `nxdomain NAME` · `yxrrset NAME TYPE [RDATA]` · `nxrrset NAME TYPE` ·
 * `add NAME [TTL] TYPE RDATA` · `delete NAME [TYPE [RDATA]]`.
 */
export function updateFromText(text: string): Message {
  const prerequisites: ResourceRecord[] = [];
  const updates: ResourceRecord[] = [];
  for (const line of linesOf(text)) {
    const [verb = "", ...rest] = line.split(/\s+/);
    if (verb === "add") updates.push({ ...recordOf(rest), class: "IN" });
    else if (verb === "delete") updates.push(removalOf(rest));
    else prerequisites.push(conditionOf(verb, rest));
  }
  return updateOf(prerequisites, updates);
}

function recordOf(tokens: readonly string[]) {
  const [record] = recordsFrom(tokens.join(" "));
  if (record === undefined) throw new Error(`no record in: ${tokens.join(" ")}`);
  return record;
}

function removalOf(tokens: readonly string[]): ResourceRecord {
  if (tokens.length > 2) return { ...recordOf(tokens), class: "NONE", ttlSeconds: 0 };
  return bare("ANY", tokens);
}

function conditionOf(verb: string, tokens: readonly string[]): ResourceRecord {
  if (verb.startsWith("nx")) return bare("NONE", tokens);
  if (tokens.length <= 2) return bare("ANY", tokens);
  return { ...recordOf(tokens), class: "IN", ttlSeconds: 0 };
}

function bare(klass: DnsClass, [name = "", type = "ANY"]: readonly string[]): ResourceRecord {
  return { name: nameOf(name), type, class: klass, ttlSeconds: 0, data: null };
}
