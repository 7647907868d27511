/** What a zone actor works with. Interface only. */
import type { DnsName } from "../model/dns-name.ts";
import type { Clock } from "../ports/clock.ts";
import type { Log } from "../ports/log.ts";
import type { Metrics } from "../ports/metrics.ts";
import type { Random } from "../ports/random.ts";
import type { AbsenceBook } from "./absence-book.ts";
import type { ZoneSetup } from "./contract.ts";
import type { Guard } from "./guard.ts";
import type { Identity } from "./name-planner.ts";
import type { SyncSettings } from "./settings.ts";
import type { TokenBucket } from "./token-bucket.ts";

/** What an actor works with. */
export interface ActorOptions {
  readonly setup: ZoneSetup;
  readonly identity: Identity;
  readonly book: AbsenceBook;
  readonly guard: Guard;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly settings: SyncSettings;
  readonly writeBudget: TokenBucket;
  readonly readBudget: TokenBucket;
  /** A zone that may be this one seen through another identity (Z-18); null = none. */
  readonly twin: () => ZoneSetup["zone"] | null;
  /** Called with names whose reports may have changed, or with all; never from inside `touch`. */
  readonly onSettled: (names: ReadonlySet<DnsName> | "all") => void;
}
