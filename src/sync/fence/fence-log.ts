/**
 * What is said of the fence of one zone: each state once in the log, a record that was lost, and
 * why a fence was not written.
 */
import { OperationError } from "@zonekeeper/base/operation-error";
import type { Log } from "@zonekeeper/base/ports/log";
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import { type FenceRecord, fenceText } from "../contract/fence-record.ts";
import type { FenceStatus } from "../contract/fence-status.ts";

/** The log of one fence. */
export class FenceLog {
  readonly #log: Log;
  readonly #zone: DnsName;
  readonly #wantsRecord: boolean;
  #last = "";
  #isUnusual = false;

  /** `wantsRecord` false = a zone without a record is as usual. */
  constructor(log: Log, zone: DnsName, wantsRecord: boolean) {
    this.#log = log;
    this.#zone = zone;
    this.#wantsRecord = wantsRecord;
  }

  /** Logs a state that differs from the last one. A later term that has begun is no alarm. */
  report({ mode, code, message }: FenceStatus): void {
    const text = `${mode} ${code} ${message}`;
    if (text === this.#last) return;
    this.#last = text;
    const fields = { zone: this.#zone, fencing: mode, reason: message };
    const wasUnusual = this.#isUnusual;
    this.#isUnusual = mode === "stopped" || (mode === "lease" && this.#wantsRecord);
    if (mode === "stopped")
      this.#log.error("the fence of the zone stops this installation from writing", fields);
    else if (this.#isUnusual) this.#log.warn("the zone is written without a fence record", fields);
    else if (wasUnusual) this.#log.info("the fence of the zone is well again", fields);
    else this.#log.debug("fence of the zone", fields);
  }

  /** Somebody removed the record that stood. */
  lost(record: FenceRecord): void {
    this.#log.warn("the fence of the zone is gone; the next change writes it again", {
      zone: this.#zone,
      record: fenceText(record),
    });
  }
}

/** The term has no time left to begin a call. */
export function runsOut(): OperationError {
  return new OperationError({
    code: "LeaseRunsOut",
    message:
      "the Lease was not renewed in time, so nothing is written until it is; see whether the API server answers",
    retry: "backoff",
  });
}

/** The record of a fence could not be written. */
export function notTaken(reason: string): OperationError {
  return new OperationError({
    code: "NotTaken",
    message: `the fence was not written: ${reason}; look at it again and repeat the command`,
    retry: "never",
  });
}

/** A later term of this installation has begun. */
export function staleWriter(epoch: number): OperationError {
  return new OperationError({
    code: "StaleWriter",
    message: `a later term of this installation (epoch ${epoch}) writes to the zone, so this term ends; repeat the command`,
    retry: "backoff",
  });
}
