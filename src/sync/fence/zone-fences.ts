/**
 * The owner ids of one zone and their fences (Z-17, ADR 0050). A fence is a record in the zone that
 * says which installation writes for an owner id; each batch compares those that it needs (`arm`),
 * so that two installations with one id never both write. The main id of the process is ours
 * always; one that a DNSOwner switches on is so here as soon as no other installation has its
 * fence.
 *
 *   on  ──► read its fence ──► absent or ours: the id is ours     ──► of another domain: wait
 *   off ──► the id is not ours ──► remove its fence, if it is ours
 *   a fence of ours that nobody here asks for, from a process before ──► remove it
 */
import { compareText } from "@zonekeeper/base/compare-text";
import type { Clock, Timer } from "@zonekeeper/base/ports/clock";
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import type { RecordSet } from "../../model/record-set.ts";
import type { ChangeGroup, Precondition } from "../../plan/changes.ts";
import { assertedName } from "../calls/pack-batches.ts";
import { fenceName, fenceText, parseFences } from "../contract/fence-record.ts";
import type { FurtherIds, OwnerFence } from "../contract/fence-status.ts";
import type { OpenZoneInput } from "../contract/zone.ts";
import type { FenceStop } from "./fence-verdict.ts";
import type { FenceAnswer, ZoneFence } from "./zone-fence.ts";

/** What the fences of a zone work with. */
export interface ZoneFencesOptions {
  readonly mainOwner: string;
  /** The ids that the process has without DNSOwners, `mainOwner` included. */
  readonly owners: ReadonlySet<string>;
  /** Owner ids of other parts of this process, which look after their fences themselves. */
  readonly otherOwners?: ReadonlySet<string>;
  /** Absent = no DNSOwners are read. */
  readonly furtherIds?: FurtherIds;
  readonly apex: DnsName;
  /** Our election domain (`WriterTerm`): our installation, as fences say it. Null = not known. */
  readonly domain: string | null;
  /** The fence of `mainOwner`. Null = no other installation can write. */
  readonly openMain: (name: DnsName | null) => ZoneFence | null;
  /** The fence of another id, at this name. Null = no other installation can write. */
  readonly open: (name: DnsName | null) => ZoneFence | null;
  /** False = nothing is written: a dry run. */
  readonly mayWrite: boolean;
  readonly clock: Clock;
  /** Called when `settle` has something to do. */
  readonly wake: () => void;
  /** Other ids wait than before, or for another reason: held changes are reported anew. */
  readonly onWaiting: () => void;
}

/** Whether a batch may be sent, and what it asserts. */
export type FencesAnswer =
  | Exclude<FenceAnswer, { readonly may: "send" }>
  | { readonly may: "send"; readonly compares: readonly Precondition[] };

/** Milliseconds until a fence that could not be removed is tried again. */
const RELEASE_RETRY_MS = 10_000;
/** Fences of other installations that are remembered at most; later ones are not listed. */
const OTHERS_MAX = 1000;

/** A fence of another installation, for an owner id that nobody here has. */
export interface OtherFence {
  readonly set: RecordSet;
  readonly domain: string;
  /** `fenceText`: what an order to remove it names. */
  readonly text: string;
}

/** Methods that ask the provider throw OperationError when it cannot be read. */
export class ZoneFences {
  /** The fence of `mainOwner`; null = no other installation can write. */
  readonly main: ZoneFence | null;
  /** The ids that are ours in this zone now; live. */
  readonly owners: ReadonlySet<string>;
  /** Ids that are on and not ours here, and why; live. */
  readonly waiting: ReadonlyMap<string, FenceStop>;
  readonly #options: ZoneFencesOptions;
  readonly #owners: Set<string>;
  readonly #waiting = new Map<string, FenceStop>();
  readonly #fences = new Map<string, ZoneFence | null>();
  readonly #givenUp = new Set<string>();
  /** Names of fences of our domain that the zone showed, and those that were removed unasked. */
  readonly #shown = new Set<DnsName>();
  readonly #cleared = new Set<DnsName>();
  readonly #others = new Map<DnsName, OtherFence>();
  /** Fences that a person wants to be gone, as they were shown. */
  readonly #orders = new Map<DnsName, string>();
  #zoneInput: OpenZoneInput | null = null;
  #isDue: boolean;
  #reported = "[]";
  #timer: Timer | null = null;

  constructor(options: ZoneFencesOptions) {
    this.#options = options;
    this.main = options.openMain(fenceName(options.apex, options.mainOwner));
    this.#owners = new Set(options.owners);
    this.owners = this.#owners;
    this.waiting = this.#waiting;
    this.#isDue = options.furtherIds !== undefined;
  }

  /** True when `settle` has something to find out. */
  get isDue(): boolean {
    return this.#isDue || this.#orders.size > 0;
  }

  /** A DNSOwner switched an id on or off, or an id that waits may be free now. */
  changed(): void {
    if (this.#options.furtherIds === undefined) return;
    this.#isDue = true;
    this.#options.wake();
  }

  /**
   * Takes ids that are on and releases those that are off. True = other ids are ours than before.
   * Call it between batches.
   */
  async settle(): Promise<boolean> {
    const { furtherIds } = this.#options;
    await this.#carryOut();
    if (!this.#isDue || furtherIds === undefined) return false;
    this.#isDue = false;
    const before = [...this.#owners].join("\n");
    const wanted = furtherIds.wanted();
    // Not all DNSOwners were read yet.
    if (wanted === null) return false;
    try {
      await this.#settleEach(wanted);
      // clause: fence-without-owner-goes
      for (const name of this.#leftBehind()) await this.#clear(name);
    } catch (error) {
      this.#isDue = true;
      throw error;
    }
    // clause: waiting-owner-id-is-reported
    if (this.#report()) this.#options.onWaiting();
    return [...this.#owners].join("\n") !== before;
  }

  /** Before batches: writes our term into the fences that the groups need. */
  async arm(groups: readonly ChangeGroup[]): Promise<FencesAnswer> {
    const compares: Precondition[] = [];
    for (const fence of this.#needed(groups)) {
      const answer = await fence.arm();
      if (answer.may === "send")
        compares.push(...(answer.compare === null ? [] : [answer.compare]));
      else {
        if (fence !== this.main) this.changed();
        return answer;
      }
    }
    return { may: "send", compares };
  }

  /** After a failed precondition: true = one of the fences is another than the batch compared. */
  async hasMoved(compares: readonly Precondition[]): Promise<boolean> {
    let moved = false;
    for (const fence of this.#all()) {
      const compare = compares.find((one) => assertedName(one) === fence.name);
      if (compare !== undefined && (await fence.hasMoved(compare))) moved = true;
    }
    if (moved) this.changed();
    return moved;
  }

  /** Takes fence records that a reading showed at these names (null = all) as hints. */
  observe(sets: readonly RecordSet[], names: readonly DnsName[] | null): void {
    for (const fence of this.#all()) fence.observe(sets, names);
    this.#observeOthers(sets, names);
    if (this.#leftBehind().length > 0 || this.#further().some(({ isStale }) => isStale))
      this.changed();
  }

  /** Fences of ids that nobody here has or waits for, sorted by name, as the zone showed them. */
  others(): readonly OtherFence[] {
    const { apex, mainOwner, furtherIds } = this.#options;
    const ids = [mainOwner, ...this.#owners, ...this.#fences.keys()];
    const known = new Set(
      [...ids, ...(furtherIds?.wanted()?.keys() ?? [])].map((id) => fenceName(apex, id)),
    );
    const all = [...this.#others.values()].filter(
      ({ set }) => /* clause: own-fence-is-no-orphan */ !known.has(set.name),
    );
    return all.sort((a, b) => compareText(a.set.name, b.set.name));
  }

  /** A person wants this fence of another installation to be gone, if it is still this text. */
  remove(name: DnsName, text: string): void {
    if (!this.#options.mayWrite) return;
    this.#orders.set(name, text);
    this.#options.wake();
  }

  /** Takes another session or policy for the same zone. */
  use(zoneInput: OpenZoneInput): void {
    this.#zoneInput = zoneInput;
    for (const fence of this.#all()) fence.use(zoneInput);
  }

  /** Reads fences again that a reading of the zone showed otherwise than they were compared. */
  async rereadIfStale(): Promise<void> {
    await this.main?.rereadIfStale();
  }

  /** The fences of ids that wait: a person may take them. */
  held(): readonly ZoneFence[] {
    return [...this.#waiting.keys()].flatMap((id) => this.#fences.get(id) ?? []);
  }

  /** For people and metrics: `mainOwner` first, then those of DNSOwners, sorted. */
  statuses(): readonly OwnerFence[] {
    const { mainOwner } = this.#options;
    const further = [...this.#fences].sort(([a], [b]) => compareText(a, b));
    return [[mainOwner, this.main] as const, ...further].flatMap(([owner, fence]) => {
      if (fence === null) return [];
      const isOn = owner === mainOwner || this.#owners.has(owner);
      const state = isOn ? "on" : this.#waiting.has(owner) ? "waits" : "off";
      return [{ ...fence.status, owner, state }];
    });
  }

  /** Nothing is begun any more. */
  close(): void {
    this.#timer?.cancel();
    for (const fence of this.#further()) fence.close();
    this.#waiting.clear();
    this.#report();
  }

  /** Tells `settled` which ids wait; false = these are the same as before. */
  #report(): boolean {
    const { furtherIds, apex } = this.#options;
    const waiting = new Map([...this.#waiting].map(([id, { message }]) => [id, message]));
    const text = JSON.stringify([...waiting]);
    if (text === this.#reported) return false;
    this.#reported = text;
    furtherIds?.settled(apex, waiting);
    return true;
  }

  #observeOthers(sets: readonly RecordSet[], names: readonly DnsName[] | null): void {
    const { domain } = this.#options;
    for (const name of names ?? [...this.#others.keys()]) this.#others.delete(name);
    for (const set of sets) {
      const records = parseFences(set) ?? [];
      const [record, ...more] = records;
      if (record === undefined || domain === null) continue;
      if (records.some((one) => one.domain === domain)) this.#shown.add(set.name);
      else if (more.length === 0 && this.#others.size < OTHERS_MAX)
        this.#others.set(set.name, { set, domain: record.domain, text: fenceText(record) });
    }
  }

  /** Removes fences as a person ordered, each order once: one that fails has to be given again. */
  async #carryOut(): Promise<void> {
    for (const [name, text] of this.#orders) {
      this.#orders.delete(name);
      if (!this.others().some(({ set }) => set.name === name)) continue;
      const fence = this.#options.open(name);
      if (this.#zoneInput !== null) fence?.use(this.#zoneInput);
      const isGone = (await fence?.release(text)) === true;
      fence?.close();
      if (isGone) this.#others.delete(name);
    }
  }

  async #settleEach(wanted: ReadonlyMap<string, boolean | null>): Promise<void> {
    for (const id of new Set([...wanted.keys(), ...this.#fences.keys()]))
      if (
        id !== this.#options.mainOwner &&
        /* clause: unknown-owner-id-keeps-fence */ wanted.get(id) !== null
      )
        await (wanted.get(id) === true ? this.#take(id) : this.#giveUp(id));
  }

  async #take(id: string): Promise<void> {
    this.#givenUp.delete(id);
    const stop = (await this.#fenceOf(id)?.ask()) ?? null;
    if (/* clause: foreign-fence-holds-owner-id */ stop === null) {
      this.#owners.add(id);
      this.#waiting.delete(id);
    } else {
      this.#owners.delete(id);
      this.#waiting.set(id, stop);
    }
  }

  async #giveUp(id: string): Promise<void> {
    // clause: owner-id-is-released
    this.#owners.delete(id);
    this.#waiting.delete(id);
    if (this.#givenUp.has(id) || !this.#options.mayWrite) return;
    const fence = this.#fenceOf(id);
    if (/* clause: released-owner-id-has-no-fence */ (await fence?.release()) === false) {
      this.#releaseLater();
      return;
    }
    fence?.close();
    this.#fences.delete(id);
    this.#givenUp.add(id);
  }

  #releaseLater(): void {
    this.#timer?.cancel();
    this.#timer = this.#options.clock.setTimer(RELEASE_RETRY_MS, () => this.changed());
  }

  /**
   * Fences of our own domain whose id nobody here asks for: its DNSOwner went, or got another id,
   * while no process ran. Each is removed once: whoever writes it again has a reason.
   */
  #leftBehind(): readonly DnsName[] {
    const { furtherIds, mainOwner, otherOwners = [], apex, mayWrite } = this.#options;
    const wanted = furtherIds?.wanted() ?? null;
    if (wanted === null || !mayWrite || this.#shown.size === 0) return [];
    const known = [mainOwner, ...otherOwners, ...wanted.keys(), ...this.#fences.keys()];
    const names = new Set(known.map((id) => fenceName(apex, id)));
    return [...this.#shown].filter((name) => !names.has(name) && !this.#cleared.has(name));
  }

  async #clear(name: DnsName): Promise<void> {
    const fence = this.#options.open(name);
    if (this.#zoneInput !== null) fence?.use(this.#zoneInput);
    const isGone = (await fence?.release()) !== false;
    fence?.close();
    if (isGone) this.#cleared.add(name);
    else this.#releaseLater();
  }

  #fenceOf(id: string): ZoneFence | null {
    const present = this.#fences.get(id);
    if (present !== undefined) return present;
    const fence = this.#options.open(fenceName(this.#options.apex, id));
    if (this.#zoneInput !== null) fence?.use(this.#zoneInput);
    this.#fences.set(id, fence);
    return fence;
  }

  /**
   * The fences of the owner ids in the markers that the groups write or compare, and of those whose
   * fence is in the zone: to compare it, too, costs no call.
   */
  #needed(groups: readonly ChangeGroup[]): readonly ZoneFence[] {
    const named = new Set(groups.flatMap(({ keys }) => keys.flatMap(ownersOf)));
    const further = [...this.#fences].filter(
      ([id, fence]) => this.#owners.has(id) && (named.has(id) || fence?.status.mode === "record"),
    );
    return [this.main, ...further.map(([, fence]) => fence)].filter((fence) => fence !== null);
  }

  #further(): readonly ZoneFence[] {
    return [...this.#fences.values()].filter((fence) => fence !== null);
  }

  #all(): readonly ZoneFence[] {
    return this.main === null ? this.#further() : [this.main, ...this.#further()];
  }
}

function ownersOf({ marker, current }: ChangeGroup["keys"][number]): readonly string[] {
  return [marker?.owner, current?.marker?.owner].filter((owner) => owner !== undefined);
}
