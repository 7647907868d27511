/**
 * Looks at every call that is sent and at every write to the zone, whoever makes it, and keeps the
 * first violation. Counts how often each invariant was looked at with something at stake.
 */
import type { RecordSet } from "../../../src/model/record-set.ts";
import type { AbsenceProof, ChangeGroup } from "../../../src/plan/changes.ts";
import type { MemoryBehaviour } from "../../support/memory-provider/behaviour.ts";
import type { ApplyFault } from "../../support/memory-provider/faults.ts";
import type { Instance, Sender } from "../world/instance.ts";
import type { Tally } from "../world/tally.ts";
import { claimsOf, contentText, isWayProof } from "../world/zone-truth.ts";
import { ArrivalWatch } from "./arrival-checks.ts";
import {
  begunRepairs,
  checkForeignUntouched,
  checkForeignValues,
  checkGates,
  checkMarked,
  checkProofs,
  checkRemovals,
  checkRemoved,
  notePublished,
  type RemovalContext,
  Violation,
} from "./checks.ts";
import { checkFence } from "./fence-checks.ts";
import { ValueWriters } from "./merged-values.ts";
import { checkSwitchedOff } from "./owner-checks.ts";
import { checkKept } from "./provider-gone.ts";
import { RemovalBudget } from "./removal-budget.ts";
import { SentCalls, sentCall, withdrawnSets } from "./sent-calls.ts";
import { UpdateWatch } from "./update-checks.ts";

/** What is looked at. */
export interface AuditorOptions {
  readonly tally: Tally;
  readonly nowMs: () => number;
  readonly instanceOf: (sender: Sender) => Instance;
  /** Whether there ever was a second installation with the owner id. */
  readonly hasOtherInstallation: (owner: string) => boolean;
  readonly content: () => readonly RecordSet[];
  /** Of the zone now. */
  readonly serial: () => number;
  /** Z-16's least number of removals; null = without the fuse. */
  readonly fuseMin: number | null;
  /** S7: what the back end promises. */
  readonly behaviour: Pick<
    MemoryBehaviour,
    "atomicity" | "ttl" | "preconditions" | "wholeSets" | "latencyMs"
  >;
}

/** Proofs whose event was watched (Z-16). */
const STRONG: ReadonlySet<AbsenceProof> = new Set([
  "deleted-object",
  "found-deleting",
  "object-dropped-name",
]);

/** Counts and judges; never changes anything. */
export class Auditor {
  /** First violation of an invariant; ends the run. */
  violation: unknown = null;
  /** Writes of instances that changed the zone. */
  ownWrites = 0;
  /** Removals that only the end of a grace allowed. */
  gracesEnded = 0;
  readonly budget: RemovalBudget;
  readonly arrival = new ArrivalWatch();
  /** S16: names that a person has ordered to be taken over from another owner. */
  readonly handedOver = new Set<string>();
  readonly #options: AuditorOptions;
  readonly #calls = new SentCalls();
  readonly #updates: UpdateWatch;
  readonly #replaced = new Set<string>();
  /** `name type` of what was last sent as removed on a strong proof (Z-16). */
  readonly #strong = new Set<string>();
  /** `name type` of what was last sent as wanted. */
  readonly #wanted = new Set<string>();
  readonly #repaired = new Set<string>();
  /** Null where the back end compares what it writes. */
  readonly #writers: ValueWriters | null;

  constructor(options: AuditorOptions) {
    this.#options = options;
    this.budget = new RemovalBudget(options.fuseMin);
    this.#updates = new UpdateWatch(options.behaviour);
    const { preconditions } = options.behaviour;
    this.#writers =
      preconditions.written.exact === "never" ? new ValueWriters(options.behaviour) : null;
  }

  /** A process sends groups, which meet these faults. */
  onSend(sender: Sender, groups: readonly ChangeGroup[], faults: readonly ApplyFault[]): void {
    const { tally, instanceOf, content, nowMs } = this.#options;
    const instance = instanceOf(sender);
    const context = this.#contextOf(instance, sender);
    const keys = groups.flatMap((group) => group.keys);
    const atMs = nowMs();
    const call = sentCall(groups, {
      sender,
      faults,
      atMs,
      travelMs: this.#options.behaviour.latencyMs / 2,
      ...{ truth: context.truth, content: content() },
    });
    this.#calls.add(call, atMs);
    if (faults.some(({ kind }) => kind.startsWith("lost")))
      for (const { name } of groups) this.#writers?.lost(name);
    for (const { desired, proof, key } of keys) {
      const text = `${key.name} ${key.type}`;
      noteIn(this.#replaced, text, desired === null && proof === null);
      noteIn(this.#strong, text, proof !== null && STRONG.has(proof));
      noteIn(this.#wanted, text, desired !== null);
    }
    // Z-27: what a loser takes back was never its own, and has no place in the fuse.
    for (const { name, type } of withdrawnSets(groups)) this.#replaced.add(`${name} ${type}`);
    if (keys.some(({ proof }) => proof !== null)) for (const id of ["S3", "S4"]) tally.add(id);
    this.check(() => {
      if (sender.dryRun) throw new Violation("S10: a dry run sent a change");
      checkProofs(groups);
      checkGates(groups, sender.view);
      if (instance.lacksProvider) checkKept(groups, content(), context);
      checkRemovals(groups, content(), context);
      this.#updates.onSend(call);
    });
  }

  /** A process's call changed the zone. */
  onWrite(sender: Sender, before: readonly RecordSet[], after: readonly RecordSet[]): void {
    const { tally, instanceOf, nowMs, hasOtherInstallation } = this.#options;
    const { owner } = sender;
    if (proofsIn(before) === proofsIn(after)) this.ownWrites += 1;
    const isShared = claimsOf(before).some(
      (claim) => claim.owner !== owner && !isSystem(claim.set),
    );
    if (isShared) tally.add("S1");
    tally.add("S2");
    this.check(() => {
      const write = { before, after, hasOtherInstallation: hasOtherInstallation(owner) };
      if (checkFence(write, sender)) for (const id of ["S6", "Z-17"]) tally.add(id);
      this.#checkOwners(sender, before, after);
      const owned = { before, after, view: sender.view, atMs: nowMs() };
      if (checkSwitchedOff(instanceOf(sender), owned)) tally.add("Z-22 off");
      const { truth, cluster } = instanceOf(sender);
      const arrival = { before, after, owner, truth, clusterId: cluster.clusterId };
      tally.add("Z-22", this.arrival.wrote(arrival));
      this.#checkCall(sender, before, after);
      if (this.budget.isLimited) tally.add("S5");
      this.budget.wrote({
        ...{ owner, before, after, atMs: nowMs(), replaced: this.#replaced, strong: this.#strong },
        wanted: this.#wanted,
        listedBy: (resource) => {
          const { settled = false, names = [] } = truth.get(resource) ?? {};
          return settled ? names : [];
        },
        isIntended: (resource, name) =>
          truth.wasDeleted(resource) || truth.get(resource)?.names.includes(name) === false,
      });
      notePublished({ before, after, owner, atMs: nowMs() }, truth);
    });
  }

  /** S1, S2, S13: whose each record was and is. */
  #checkOwners(sender: Sender, before: readonly RecordSet[], after: readonly RecordSet[]): void {
    const { handedOver } = this;
    const { owner } = sender;
    const { tally, behaviour, instanceOf } = this.#options;
    if (checkForeignValues(before, after)) tally.add("S13");
    if (this.#writers !== null) {
      this.#writers.wrote(before, after, { sender, serial: this.#options.serial() });
      return;
    }
    checkForeignUntouched(before, after, { owner, handedOver, repaired: this.#repaired });
    for (const text of begunRepairs(before, after, owner)) this.#repaired.add(text);
    // A create of a former process that comes late meets no marker where no other record set is
    // compared (ADR 0035).
    const comparesOthers = behaviour.preconditions.others.exact !== "never";
    if (comparesOthers || instanceOf(sender).isLatest(sender)) checkMarked(before, after, owner);
  }

  /** Somebody else than a process changed the zone. */
  onForeign(before: readonly RecordSet[], after: readonly RecordSet[]): void {
    this.#writers?.foreign(before, after, this.#options.serial());
  }

  /** S2 when all is quiet. */
  checkMarked(): void {
    const { tally, content, instanceOf } = this.#options;
    const isAlive = (sender: Sender): boolean => instanceOf(sender).isLatest(sender);
    tally.add("Z-27", this.#writers?.checkMarked(content(), isAlive) ?? 0);
  }

  /** A process has read these names, null = all, in the zone of this serial. */
  onRead(sender: Sender, names: readonly string[] | null, serial: number): void {
    this.#writers?.read(sender, names, serial);
  }

  /** S3, S4, S7: the write does what its call may do, whenever that was sent. */
  #checkCall(sender: Sender, before: readonly RecordSet[], after: readonly RecordSet[]): void {
    const { tally, instanceOf, nowMs } = this.#options;
    const atMs = nowMs();
    const call = this.#calls.of(sender, [before, after], atMs);
    if (call === null) throw new Violation(`S10: ${sender.owner} wrote what it had not sent`);
    const context = this.#contextOf(instanceOf(sender), sender);
    checkRemoved(before, after, { ...context, mayRemove: call.mayRemove });
    const updated = this.#updates.onWrite({ before, after, call, truth: context.truth });
    if (updated > 0) tally.add("S7", updated);
  }

  #contextOf(instance: Instance, sender: Sender): RemovalContext {
    const isGraceOver = (resource: string): boolean => {
      const isOver = instance.isGraceOver(resource, sender);
      if (isOver) this.gracesEnded += 1;
      return isOver;
    };
    const { truth, hasTwin } = instance;
    return { truth, owner: sender.owner, isGraceOver, hasTwin };
  }

  /** The result of a look by somebody else: null = it held. */
  checked(id: string, trouble: string | null): void {
    this.#options.tally.add(id);
    if (trouble !== null) this.violation ??= new Violation(`${id}: ${trouble}`);
  }

  /** Runs a check; its error is the violation if it is the first. */
  check(check: () => void): void {
    try {
      check();
    } catch (error) {
      this.violation ??= error;
    }
  }
}

function noteIn(set: Set<string>, text: string, isIn: boolean): void {
  if (isIn) set.add(text);
  else set.delete(text);
}

function isSystem({ type }: RecordSet): boolean {
  return type === "SOA" || type === "NS";
}

/** What proves ways, as one text: it is written alone, once for each account (Z-18). */
function proofsIn(sets: readonly RecordSet[]): string {
  return sets.filter(isWayProof).map(contentText).sort().join("\n");
}
