/**
 * A session on the zones of a memory account: reads with the behaviour's lag, applies with its
 * atomicity, and carries out the faults that it is told. The same contract as every real provider,
 * held by the same conformance suite.
 */
import { OperationError } from "@zonekeeper/base/operation-error";
import { sleep } from "@zonekeeper/base/ports/clock";
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import type { Problem } from "../../../src/model/problem.ts";
import { compareKeys, type RecordSet } from "../../../src/model/record-set.ts";
import type { Zone } from "../../../src/model/zone.ts";
import type { Change, ChangeGroup, Outcome } from "../../../src/plan/changes.ts";
import type {
  ProviderEnvironment,
  ProviderSession,
  ZoneDelta,
  ZoneSnapshot,
} from "../../../src/providers/provider.ts";
import { applyBatch, applySteps, type Call } from "./apply-call.ts";
import { CLASS_A, capabilitiesOf, type MemoryBehaviour } from "./behaviour.ts";
import { auditSet, toStored } from "./convert.ts";
import type { MemoryFaults } from "./faults.ts";
import type { MemoryZone } from "./memory-zone.ts";
import type { ZoneView } from "./zone-content.ts";

/** What a session works on. */
export interface MemorySessionOptions {
  /** Asked at each call, so that zones may come and go. */
  zones(): readonly MemoryZone[];
  readonly faults: MemoryFaults;
  readonly environment: Pick<ProviderEnvironment, "clock" | "dryRun" | "writeGate">;
}

/** What is read; `names` as in `MemoryFaults`. */
interface Question {
  readonly names: readonly DnsName[] | null;
  readonly signal: AbortSignal;
}

/** One open account. Concurrent calls are allowed; each takes effect at one moment. */
export class MemorySession implements ProviderSession {
  readonly capabilities;
  readonly propagationOf?: NonNullable<ProviderSession["propagationOf"]>;
  readonly changeToken?: NonNullable<ProviderSession["changeToken"]>;
  readonly changesSince?: NonNullable<ProviderSession["changesSince"]>;
  readonly #options: MemorySessionOptions;
  readonly #behaviour: MemoryBehaviour;
  #receipts = 0;
  #beforePage: () => Promise<void> = () => Promise.resolve();

  /** All zones of an account behave like its first. */
  constructor(options: MemorySessionOptions) {
    this.#options = options;
    this.#behaviour = options.zones()[0]?.behaviour ?? CLASS_A;
    this.capabilities = capabilitiesOf(this.#behaviour);
    const { pending, changeToken } = this.#behaviour;
    if (changeToken !== "none") {
      this.changeToken = (zone, signal) =>
        this.#observe(zone, { names: [], signal }, ({ serial }) => String(serial));
      this.changesSince = (...given) => this.#changesSince(...given);
    }
    if (pending !== undefined)
      this.propagationOf = async (zone, receipt, signal) => {
        await this.#observe(zone, { names: [], signal }, () => null);
        const [count, sinceMs] = receipt.split("@").map(Number);
        const isError = (count ?? 0) % pending.errorEvery === 0;
        const nowMs = options.environment.clock.monotonicMs();
        if (nowMs - (sinceMs ?? 0) < pending.forMs) return { is: "pending" };
        return isError ? { is: "failed", message: "it is in ERROR" } : { is: "live" };
      };
  }

  async zones(signal: AbortSignal): Promise<readonly Zone[]> {
    await this.#travel(signal);
    return this.#options.zones().map(({ zone }) => zone);
  }

  pace(before: () => Promise<void>): void {
    this.#beforePage = before;
  }

  async records(
    zone: Zone,
    names: readonly DnsName[] | null,
    signal: AbortSignal,
  ): Promise<ZoneSnapshot> {
    const snapshot = await this.#observe(zone, { names, signal }, (view) => {
      const sets =
        names === null ? view.all() : [...new Set(names)].flatMap((name) => view.at(name));
      return { sets: [...sets].sort(compareKeys), token: this.#token(view) };
    });
    if (names !== null) return snapshot;
    const pages = Math.max(1, Math.ceil(snapshot.sets.length / this.#behaviour.setsPerPage));
    for (let page = 1; page < pages; page++) {
      await this.#beforePage();
      await this.#observe(zone, { names: [], signal }, () => null);
    }
    return { ...snapshot, pages };
  }

  #changesSince(zone: Zone, token: string, signal: AbortSignal): Promise<ZoneDelta> {
    return this.#observe(zone, { names: [], signal }, (view) => {
      const { content } = this.#find(zone);
      const names = content.namesSince(Number(token));
      const records = this.#behaviour.deltaRecords
        ? content.recordsSince(Number(token), view)
        : null;
      return { token: String(view.serial), names, ...(records === null ? {} : { records }) };
    });
  }

  audit(set: RecordSet): readonly Problem[] {
    return auditSet(set, this.#behaviour);
  }

  normalize(set: RecordSet): RecordSet {
    return toStored(set, this.#behaviour);
  }

  async *apply(
    zone: Zone,
    groups: readonly ChangeGroup[],
    signal: AbortSignal,
  ): AsyncGenerator<Outcome> {
    const { clock } = this.#options.environment;
    refuseWrites(zone, this.#options.environment);
    const memoryZone = this.#find(zone);
    const call: Call = {
      zone: memoryZone,
      groups: groups.map((group) => this.#stored(group)),
      faults: this.#options.faults.apply(zone.id, groups),
      clock,
    };
    await this.#travel(signal);
    const outcomes = this.#behaviour.atomicity === "zone" ? applyBatch(call) : applySteps(call);
    await this.#travel();
    yield* this.#behaviour.pending === undefined ? outcomes : outcomes.map(this.#withReceipt);
  }

  readonly #withReceipt = (outcome: Outcome): Outcome => {
    if (outcome.status !== "applied") return outcome;
    this.#receipts += 1;
    const nowMs = this.#options.environment.clock.monotonicMs();
    return { ...outcome, receipt: `${this.#receipts}@${nowMs}` };
  };

  close(): void {
    // Nothing is held open: zones belong to the account.
  }

  /** What is stored and compared is what `normalize` says, on both sides. */
  #stored(group: ChangeGroup): ChangeGroup {
    const changes = group.changes.map((change): Change => {
      if (change.op === "remove") return change;
      return { ...change, next: this.normalize(change.next) };
    });
    return { ...group, changes };
  }

  #find(zone: Zone): MemoryZone {
    const found = this.#options.zones().find((each) => each.zone.id === zone.id);
    if (found !== undefined) return found;
    throw new OperationError({
      code: "ZoneNotFound",
      message: `the account has no zone ${zone.id}; check its credentials and zone list`,
      retry: "backoff",
    });
  }

  #token(view: ZoneView): string | null {
    return this.#behaviour.changeToken === "none" ? null : String(view.serial);
  }

  /** `pick` sees the zone at one moment: after the way there and before the way back. */
  async #observe<T>(
    zone: Zone,
    { names, signal }: Question,
    pick: (view: ZoneView) => T,
  ): Promise<T> {
    await this.#travel(signal);
    const { content } = this.#find(zone);
    for (const fault of this.#options.faults.read(zone.id, names)) {
      if (fault.kind === "down") throw unreachable(zone);
      fault.write(content);
    }
    const lag = this.#behaviour.readLagMs;
    const nowMs = this.#options.environment.clock.monotonicMs();
    const picked = pick(lag === 0 ? content : content.asOf(nowMs - lag));
    await this.#travel();
    return picked;
  }

  /** Half a call's latency. */
  async #travel(signal?: AbortSignal): Promise<void> {
    const { clock } = this.#options.environment;
    const half = this.#behaviour.latencyMs / 2;
    if (half > 0) await sleep(clock, half, signal);
    if (signal?.aborted === true)
      throw new OperationError({
        code: "Aborted",
        message: "the call was given up before it was sent",
        retry: "backoff",
      });
  }
}

/** docs/safety.md#no-calls: impossible, not skipped. */
function refuseWrites(
  zone: Zone,
  { dryRun, writeGate }: MemorySessionOptions["environment"],
): void {
  const blocker = writeGate?.(zone.name) ?? null;
  if (/* clause: transport-refuses-dry-run */ !dryRun && blocker === null) return;
  const what = dryRun ? { code: "DryRun", why: "dry run" } : { code: "Paused", why: blocker ?? "" };
  throw new OperationError({
    code: what.code,
    message: `${what.why}: nothing is written to ${zone.name}`,
    retry: "never",
    nothingSent: true,
  });
}

function unreachable(zone: Zone): OperationError {
  return new OperationError({
    code: "ProviderUnreachable",
    message: `${zone.endpoint} did not answer for ${zone.name}; it is tried again`,
    retry: "backoff",
  });
}
