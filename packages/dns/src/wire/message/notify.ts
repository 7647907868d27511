/**
 * NOTIFY messages (RFC 1996): the request that reports a possible change of a zone. It is a hint
 * only: the receiver asks for the SOA (§3.11, §4.7).
 */
import type { DnsName } from "../../names/dns-name.ts";
import { emptyMessage } from "./compose.ts";
import type { Message, ResourceRecord } from "./message.ts";

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
