/**
 * Puts a zone transfer together from its messages: AXFR (RFC 5936 §2.2), IXFR incremental,
 * AXFR-style or up to date (RFC 1995 §4, §2). Complete or failed: without the closing SOA there is
 * no result. Verify TSIG before `push`.
 */
import type { DnsName } from "../../names/dns-name.ts";
import { isSerialNewer, serialOf } from "../../rdata/soa.ts";
import type { Message, Rcode, ResourceRecord } from "../message/message.ts";

/** The request of the transfer. */
export interface TransferRequest {
  /** Id of the request. */
  readonly id: number;
  /** Apex. */
  readonly zone: DnsName;
  /** IXFR: the known serial. Null = AXFR. */
  readonly haveSerial: number | null;
  /** Greatest number of records; a longer transfer fails. */
  readonly recordsMax: number;
}

/** One step of an incremental answer, oldest first. SOA records are not in the lists. */
export interface TransferStep {
  readonly fromSoa: ResourceRecord;
  readonly toSoa: ResourceRecord;
  readonly removed: readonly ResourceRecord[];
  readonly added: readonly ResourceRecord[];
}

/** A complete answer. `soa` is the zone's present SOA record. */
export type Transfer =
  /** The known serial is the present one (or newer). */
  | { readonly kind: "up-to-date"; readonly soa: ResourceRecord }
  /** All records but the SOA, in the order of the server. */
  | {
      readonly kind: "full";
      readonly soa: ResourceRecord;
      readonly records: readonly ResourceRecord[];
    }
  | {
      readonly kind: "incremental";
      readonly soa: ResourceRecord;
      readonly steps: readonly TransferStep[];
    };

/** The state of a transfer after a message. */
export type TransferProgress =
  | { readonly status: "more" }
  | { readonly status: "done"; readonly transfer: Transfer }
  /** `rcode` is the server's refusal; NOERROR = its messages break the rules or the bound. */
  | { readonly status: "failed"; readonly rcode: Rcode; readonly message: string };

interface OpenStep {
  readonly fromSoa: ResourceRecord;
  readonly removed: ResourceRecord[];
  toSoa: ResourceRecord | null;
  readonly added: ResourceRecord[];
}

/** Takes the messages of one transfer in order. After `done` or `failed` it takes no more. */
export class TransferReader {
  readonly #request: TransferRequest;
  #messageCount = 0;
  #recordCount = 0;
  #soa: ResourceRecord | null = null;
  #mode: "undecided" | "full" | "incremental" = "undecided";
  readonly #records: ResourceRecord[] = [];
  readonly #steps: OpenStep[] = [];
  #isClosed = false;
  #trouble: string | null = null;

  constructor(request: TransferRequest) {
    this.#request = request;
  }

  /**
   * The present SOA of a full answer that has begun, or null. A caller that needs steps only may
   * stop here. A lone first SOA does not count yet.
   */
  get fullAnswerSoa(): ResourceRecord | null {
    return this.#mode === "full" ? this.#soa : null;
  }

  push(message: Message): TransferProgress {
    const refusal = this.#checkMessage(message);
    if (refusal !== null) return refusal;
    this.#messageCount += 1;
    for (const record of message.answer) {
      this.#take(record);
      if (this.#trouble !== null) break;
    }
    if (this.#trouble !== null) return failed("NOERROR", this.#trouble);
    const transfer = this.#result();
    return transfer === null ? { status: "more" } : { status: "done", transfer };
  }

  #checkMessage(message: Message): TransferProgress | null {
    const { id, zone } = this.#request;
    if (message.rcode !== "NOERROR")
      return failed(
        message.rcode,
        `the server answers ${message.rcode} to the transfer of ${zone}`,
      );
    if (message.id !== id || !message.response || message.opcode !== "QUERY")
      return failed("NOERROR", "a message of the transfer answers another request");
    if (message.truncated) return failed("NOERROR", "a message of the transfer is truncated");
    // RFC 5936 §2.2.2: only the first message must repeat the question.
    const [question] = message.question;
    if (question !== undefined && question.name !== zone)
      return failed("NOERROR", "the transfer is of another zone");
    if (message.answer.length === 0)
      return failed("NOERROR", `the server sends an empty message for the transfer of ${zone}`);
    return null;
  }

  #take(record: ResourceRecord): void {
    this.#recordCount += 1;
    if (this.#isClosed) this.#trouble = "records follow after the closing SOA of the transfer";
    else if (this.#recordCount > this.#request.recordsMax)
      this.#trouble = `the transfer has more than ${this.#request.recordsMax} records`;
    else if (record.class !== "IN")
      this.#trouble = `the transfer holds a record of class ${record.class} at ${record.name}`;
    else if (record.type === "SOA" && record.name !== this.#request.zone)
      this.#trouble = `the transfer holds an SOA at ${record.name}, which is not the apex`;
    else if (this.#soa === null && record.type !== "SOA")
      this.#trouble = "the transfer does not begin with an SOA";
    else if (this.#soa === null) this.#soa = record;
    else if (this.#mode === "undecided") this.#takeSecond(record, this.#soa);
    else if (this.#mode === "full") this.#takeFull(record, this.#soa);
    else this.#takeIncremental(record, this.#soa);
  }

  /**
   * RFC 1995 §4: an incremental answer goes on with the SOA of an older version, a full one with
   * anything else.
   */
  #takeSecond(record: ResourceRecord, soa: ResourceRecord): void {
    const incremental =
      this.#request.haveSerial !== null &&
      record.type === "SOA" &&
      serialOf(record) !== serialOf(soa);
    this.#mode = incremental ? "incremental" : "full";
    if (!incremental) this.#takeFull(record, soa);
    else if (serialOf(record) !== this.#request.haveSerial)
      this.#trouble = "the incremental transfer begins at another serial than the one asked for";
    else this.#openStep(record);
  }

  #takeFull(record: ResourceRecord, soa: ResourceRecord): void {
    if (record.type !== "SOA") this.#records.push(record);
    else if (record.data === soa.data) this.#isClosed = true;
    else this.#trouble = "the closing SOA differs from the first: the zone changed meanwhile";
  }

  #takeIncremental(record: ResourceRecord, soa: ResourceRecord): void {
    const step = this.#steps.at(-1);
    if (step === undefined) return;
    if (record.type !== "SOA") (step.toSoa === null ? step.removed : step.added).push(record);
    else if (step.toSoa === null) step.toSoa = record;
    else if (record.data === step.toSoa.data && serialOf(record) === serialOf(soa))
      this.#isClosed = true;
    else if (serialOf(record) === serialOf(step.toSoa)) this.#openStep(record);
    else this.#trouble = "the steps of the incremental transfer do not join";
  }

  #openStep(fromSoa: ResourceRecord): void {
    this.#steps.push({ fromSoa, removed: [], toSoa: null, added: [] });
  }

  /** Null = more messages are needed. */
  #result(): Transfer | null {
    const soa = this.#soa;
    if (soa === null) return null;
    const { haveSerial } = this.#request;
    const isNewer = haveSerial === null || isSerialNewer(serialOf(soa) ?? 0, haveSerial);
    // RFC 1995 §2: the answer "up to date". PowerDNS also begins a full answer with one SOA alone:
    // then it is newer.
    if (this.#messageCount === 1 && this.#recordCount === 1 && !isNewer)
      return { kind: "up-to-date", soa };
    if (!this.#isClosed) return null;
    if (this.#mode === "full") return { kind: "full", soa, records: this.#records };
    const steps = this.#steps.flatMap(({ toSoa, ...step }) => (toSoa ? [{ ...step, toSoa }] : []));
    return { kind: "incremental", soa, steps };
  }
}

function failed(rcode: Rcode, message: string): TransferProgress {
  return { status: "failed", rcode, message };
}
