/**
 * Writes Istio ServiceEntries for the hosts of imported zones (docs/guides/two-way-sync.md). While
 * a zone cannot be read, its hosts are not known: then nothing is written and nothing is removed.
 * Removals beyond a limit wait for a person (inbound/import-removals.ts).
 */
import { messageOf, OperationError } from "@zonekeeper/base/operation-error";
import type { Clock } from "@zonekeeper/base/ports/clock";
import type { Log } from "@zonekeeper/base/ports/log";
import { RecentCounts } from "@zonekeeper/base/timing/recent-counts";
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import {
  apiVersionOf,
  type KubeObject,
  refOf,
  uidOf,
  versionOf,
} from "@zonekeeper/kube/objects/kubernetes";
import type { ClusterView } from "@zonekeeper/kube/ports/cluster-view";
import type { ClusterWriter } from "@zonekeeper/kube/ports/cluster-writer";
import type { StartQueue, WorkQueue } from "@zonekeeper/kube/ports/work-queue";
import { type HeldRemovals, ImportRemovals } from "../../inbound/import-removals.ts";
import { type SkipReason, skippedByReason } from "../../inbound/imported-hosts.ts";
import {
  type ImportPlan,
  ImportPlanner,
  type ImportWrite,
  importPatch,
} from "../../inbound/plan-import.ts";
import type { OwnFields } from "../../inbound/service-entry.ts";
import type { ZoneView } from "../../inbound/zone-view.ts";
import { BASE_ANNOTATION, type ImportRules } from "../../model/imports.ts";
import { SERVICE_ENTRY } from "../../model/kinds.ts";
import type { ZoneViews } from "../../sync/contract/publish-engine.ts";

/** Everything that it works with. */
export interface ImportControllerOptions {
  readonly imports: readonly ImportRules[];
  readonly view: ClusterView;
  readonly writer: ClusterWriter;
  readonly zones: ZoneViews;
  readonly clock: Clock;
  readonly log: Log;
  readonly startQueue: StartQueue;
  /** Called when the import of a zone has a new trouble. */
  readonly onTrouble: (zone: string, message: string) => void;
}

/** An import, as people see it. */
export interface ImportStatus {
  readonly zone: string;
  readonly namespace: string;
  /** Why nothing is written; null = the objects follow the zone. */
  readonly trouble: string | null;
  /** Hosts whose object is as the zone has it. */
  readonly inSync: number;
  /** Objects that are to be created, changed or removed. */
  readonly pending: number;
  /** Hosts that are not imported, by reason. */
  readonly skipped: ReadonlyMap<SkipReason, readonly DnsName[]>;
  readonly held: HeldRemovals | null;
  /** When the zone was read, Unix milliseconds; null = not yet. */
  readonly readAtMs: number | null;
}

interface Import {
  readonly rules: ImportRules;
  readonly removals: ImportRemovals;
  readonly planner: ImportPlanner;
  /** Names of the zone that may have changed since they were read. */
  moved: Set<DnsName> | "all";
  /** True = all ServiceEntries were read once; changes come one by one. */
  isListed: boolean;
  /** Recent writes, by object and desired content; many of one mean that somebody reverts them. */
  readonly written: RecentCounts<string>;
  status: ImportStatus;
  /** The trouble that was reported last; empty = none, or it is over. */
  reported: string;
}

/** Milliseconds in which changes are gathered before one reconcile. */
const GATHER_MS = 300;
const RETRY_MS = 10_000;
/** Requests at a time. */
const WRITES_MAX = 16;
/**
 * An object that somebody reverts is no longer written from the fifth time within an hour on; it is
 * tried again after ten minutes.
 */
const WRITTEN_MAX = 5;
const FIGHT_MS = 3_600_000;
const FOUGHT_RETRY_MS = 600_000;

/** There is one for each composition; a key of its queue is the zone of an import. */
export class ImportController {
  readonly #options: ImportControllerOptions;
  readonly #imports: ReadonlyMap<string, Import>;
  readonly #queue: WorkQueue;
  readonly #stops: readonly (() => void)[];

  constructor(options: ImportControllerOptions) {
    this.#options = options;
    this.#imports = new Map(
      options.imports.map((rules) => [rules.zone, newImport(rules, options.view.clusterId)]),
    );
    this.#queue = options.startQueue({
      name: "import",
      reconcile: (zone) => this.#reconcile(zone),
    });
    this.#stops = [
      options.view.subscribe(SERVICE_ENTRY, {
        onChange: ({ object, type }) => {
          for (const [zone, { planner }] of this.#imports) {
            planner.readObject(object, type === "deleted");
            this.#queue.addAfter(zone, GATHER_MS);
          }
        },
        onState: () => {
          for (const [zone, one] of this.#imports) {
            one.isListed = false;
            this.#queue.addAfter(zone, GATHER_MS);
          }
        },
      }),
      options.zones.onChange((apex, id, names) => {
        for (const name of [apex, id]) {
          const one = this.#imports.get(name);
          if (one === undefined) continue;
          if (names === "all") one.moved = "all";
          else if (one.moved !== "all") for (const moved of names) one.moved.add(moved);
          this.#queue.addAfter(name, GATHER_MS);
        }
      }),
    ];
    for (const zone of this.#imports.keys()) this.#queue.add(zone);
  }

  statuses(): readonly ImportStatus[] {
    return [...this.#imports.values()].map(({ status }) => status);
  }

  /** Approves the removals of a held set; false = no set has this hash. */
  approve(hash: string): boolean {
    const approved = [...this.#imports.values()].filter(({ removals }) => removals.approve(hash));
    for (const { rules } of approved) this.#queue.add(rules.zone);
    return approved.length > 0;
  }

  async stop(): Promise<void> {
    for (const stop of this.#stops) stop();
    await this.#queue.stop();
  }

  async #reconcile(zone: string): Promise<void> {
    const one = this.#imports.get(zone);
    if (one === undefined) return;
    const { view, zones, clock } = this.#options;
    const found = zones.view(zone);
    const entries = view.list(SERVICE_ENTRY);
    const trouble = "unread" in found ? found.unread : troubleOf(view, entries.state, found.view);
    if ("unread" in found || entries.state !== "value" || trouble !== null) {
      this.#tell(one, { ...one.status, trouble });
      this.#queue.addAfter(zone, RETRY_MS);
      return;
    }
    const { readAtMs } = found.view;
    one.planner.readZone(found.view, one.moved);
    one.moved = new Set();
    if (!one.isListed) one.planner.readObjects(entries.value);
    one.isListed = true;
    // clause: import-fights-end
    const isFought = (to: OwnFields) => one.written.isOften(writeText(to), clock.monotonicMs());
    const plan = one.planner.plan(isFought);
    if (plan.skipped.some(([, reason]) => reason === "Fighting"))
      this.#queue.addAfter(zone, FOUGHT_RETRY_MS);
    const over = new Map(plan.over.map((object) => [object.metadata.name, object]));
    const all = plan.inSync + plan.writes.length + over.size;
    const { remove, waitMs } = one.removals.due([...over.keys()], all, readAtMs, clock.nowMs());
    if (waitMs !== null) this.#queue.addAfter(zone, waitMs);
    const failure = await this.#carryOut(
      plan.writes,
      remove.flatMap((name) => over.get(name) ?? []),
      one,
    );
    this.#tell(one, statusOf(one, plan, { readAtMs, failure }));
    if (failure !== null) throw failure;
  }

  /**
   * Stores the status, and reports a new trouble. While the zone was never read, a trouble is
   * reported only the second time: the zone may just be opening.
   */
  #tell(one: Import, status: ImportStatus): void {
    const trouble = importTrouble(status);
    const isSure = status.readAtMs !== null || trouble === importTrouble(one.status);
    if (trouble !== "" && trouble !== one.reported && isSure) {
      const message = `import into namespace ${status.namespace}: ${trouble}`;
      this.#options.onTrouble(status.zone, message);
      one.reported = trouble;
    }
    if (trouble === "") one.reported = "";
    one.status = status;
  }

  /**
   * Runs all writes and removals, several at a time; answers the first failure. One failure stops
   * no others; many in a row do.
   */
  async #carryOut(
    writes: readonly ImportWrite[],
    removed: readonly KubeObject[],
    { rules, removals, written }: Import,
  ): Promise<OperationError | null> {
    const { clock, log, writer } = this.#options;
    const calls = [
      ...writes.map((write) => async () => {
        await this.#write(write);
        written.add(writeText(write.wanted), clock.monotonicMs());
      }),
      ...removed.map((object) => async () => {
        // Only as it was read: a changed one fails with a conflict and is decided again.
        const still = { ...uidOf(object), ...versionOf(object) };
        await writer.remove(refOf(SERVICE_ENTRY, object), still);
        removals.removed(object.metadata.name, clock.nowMs());
      }),
    ];
    if (calls.length > 0)
      log.info("import", {
        zone: rules.zone,
        namespace: rules.namespace,
        written: writes.length,
        removed: removed.length,
      });
    const left = calls.values();
    const failures: OperationError[] = [];
    let failedInRow = 0;
    const lane = async (): Promise<void> => {
      for (const call of left) {
        // A missing namespace or right would make all others fail, too.
        if (failedInRow >= WRITES_MAX) return;
        try {
          await call();
          failedInRow = 0;
        } catch (error) {
          if (!(error instanceof OperationError)) throw error;
          failures.push(error);
          failedInRow += 1;
        }
      }
    };
    await Promise.all(Array.from({ length: WRITES_MAX }, lane));
    return failures[0] ?? null;
  }

  async #write({ wanted, current }: ImportWrite): Promise<void> {
    const { writer } = this.#options;
    const { kind } = SERVICE_ENTRY;
    if (current === null)
      await writer.create(SERVICE_ENTRY, {
        ...{ apiVersion: apiVersionOf(SERVICE_ENTRY), kind },
        ...wanted,
      });
    else await writer.patch(refOf(SERVICE_ENTRY, wanted), importPatch(current, wanted));
  }
}

/**
 * True = the zone has no records but SOA. A real zone has NS records: the reading must be wrong.
 */
function isEmpty(zone: ZoneView): boolean {
  for (const name of zone.names())
    if (zone.at(name).some(({ set }) => set.type !== "SOA")) return false;
  return true;
}

function newImport(rules: ImportRules, here: string): Import {
  const { zone, namespace } = rules;
  const none = { trouble: "nothing was read yet", readAtMs: null, held: null };
  const status = { zone, namespace, inSync: 0, pending: 0, skipped: new Map(), ...none };
  const memory = {
    removals: new ImportRemovals(),
    written: new RecentCounts<string>(FIGHT_MS, WRITTEN_MAX),
  };
  const planner = new ImportPlanner(rules, here);
  return { rules, ...memory, planner, moved: "all", isListed: false, status, reported: "" };
}

function writeText({ metadata: { name, annotations } }: OwnFields): string {
  return `${name} ${annotations[BASE_ANNOTATION]}`;
}

/** The trouble that a person must act on; empty = none. */
export function importTrouble({ trouble, held, skipped }: ImportStatus): string {
  if (trouble !== null) return trouble;
  if (held !== null)
    return `objects whose hosts are gone from the zone wait (${held.names.length}); zonekeeper imports shows them, zonekeeper approve ${held.hash} removes them`;
  const fought = skipped.get("Fighting") ?? [];
  return fought.length === 0
    ? ""
    : `somebody edits objects back again and again (Fighting): ${fought.slice(0, 5).join(", ")}; stop that, or give such an object the annotation zonekeeper.dev/release: "true"`;
}

/** Why zone or cluster cannot be compared now; null = they can. */
function troubleOf(view: ClusterView, list: string, zone: ZoneView): string | null {
  const state = view.state(SERVICE_ENTRY);
  // clause: empty-zone-imports-nothing
  if (isEmpty(zone)) return "the zone has no records";
  if (state === "live" && list === "value") return null;
  const why = view.trouble(SERVICE_ENTRY);
  if (state === "absent")
    return "the cluster has no ServiceEntries; install the definitions of Istio";
  return `the ServiceEntries are ${state}${why === null ? "" : `: ${why}`}`;
}

function statusOf(
  { rules, removals, status }: Import,
  { inSync, writes, over, skipped }: ImportPlan,
  { readAtMs, failure }: { readonly readAtMs: number; readonly failure: OperationError | null },
): ImportStatus {
  const { namespace } = rules;
  const message =
    failure?.code === "NotFound"
      ? `the namespace ${namespace} does not exist, or is not served; kubectl create namespace ${namespace}`
      : failure === null
        ? null
        : messageOf(failure);
  return {
    ...status,
    trouble: message,
    inSync,
    pending: writes.length + over.length,
    skipped: skippedByReason(skipped),
    held: removals.held,
    readAtMs,
  };
}
