/** What is logged of the fence of one zone: each state once, and a record that was lost. */
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
