/** Builders of frequent messages, so that callers need not set thirteen fields. No policy. */
import type { DnsName } from "../../names/dns-name.ts";
import type { Message, Question, Rcode, ResourceRecord } from "./message.ts";

/** A QUERY with empty sections and no flag set; spread it and add fields. `id` is 0 to 65535. */
export function emptyMessage(id: number): Message {
  return {
    id,
    response: false,
    opcode: "QUERY",
    authoritative: false,
    truncated: false,
    recursionDesired: false,
    recursionAvailable: false,
    rcode: "NOERROR",
    question: [],
    answer: [],
    authority: [],
    additional: [],
    edns: null,
  };
}

/** One question in class IN without recursion. */
export function queryMessage(id: number, question: Omit<Question, "class">): Message {
  return { ...emptyMessage(id), question: [{ ...question, class: "IN" }] };
}

/**
 * An answer to `request` with its id, opcode, question and RD; other sections empty, AA as given
 * (RFC 1035 §4.1.1).
 */
export function responseTo(request: Message, rcode: Rcode, authoritative: boolean): Message {
  return {
    ...emptyMessage(request.id),
    response: true,
    opcode: request.opcode,
    authoritative,
    recursionDesired: request.recursionDesired,
    rcode,
    question: request.question,
  };
}

/** The zone that may have changed. */
export interface NotifyContent {
  /** 0 to 65535. */
  readonly id: number;
  /** Apex. */
  readonly zone: DnsName;
  /** The new SOA as a hint for the receiver (RFC 1996 §3.7); null = none. */
  readonly soa: ResourceRecord | null;
}

/** RFC 1996 §3.6, §4.5: one question of type SOA, AA set. */
export function notifyMessage({ id, zone, soa }: NotifyContent): Message {
  return {
    ...emptyMessage(id),
    opcode: "NOTIFY",
    authoritative: true,
    question: [{ name: zone, type: "SOA", class: "IN" }],
    answer: soa === null ? [] : [soa],
  };
}
