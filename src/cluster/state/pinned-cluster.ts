/**
 * Pins a cluster: remembers the UID of its kube-system namespace, and the newest version and the
 * number of objects of each kind (Z-30). A cluster that was rebuilt, or restored from a snapshot,
 * lacks objects that nobody deleted: until a person accepts it, nothing that is missing from it is
 * proven to be gone. The same holds while it does not serve a secondary kind, whose objects sources
 * read besides their own. While the stored pin cannot be read, the cluster counts as not checked.
 */
import { jsonIn } from "@zonekeeper/base/json-text";
import { messageOf, OperationError } from "@zonekeeper/base/operation-error";
import type { Clock, Timer } from "@zonekeeper/base/ports/clock";
import type { Log } from "@zonekeeper/base/ports/log";
import { readClusterId } from "@zonekeeper/kube/client/access/cluster-id";
import { isOlder } from "@zonekeeper/kube/client/watch/resource-version";
import { type KindRef, type KubeObject, kindText } from "@zonekeeper/kube/objects/kubernetes";
import { fieldsOf, numberOf, textOf } from "@zonekeeper/kube/objects/object-fields";
import type { ClusterView, ObjectChange } from "@zonekeeper/kube/ports/cluster-view";
import type { ClusterWriter } from "@zonekeeper/kube/ports/cluster-writer";
import { fingerprint64 } from "../../model/fingerprint.ts";
import type { ClusterIdentity, ClusterTrouble } from "../../ports/cluster-identity.ts";
import type { StateStore } from "../../ports/stores.ts";

/** What is pinned, and with what. */
export interface PinnedClusterOptions {
  readonly view: ClusterView;
  readonly reader: Pick<ClusterWriter, "read">;
  readonly kinds: readonly KindRef[];
  /** Kinds with a definition that sources read besides; served as long as they have objects. */
  readonly secondary?: readonly KindRef[];
  /** Survives a restart. */
  readonly state: StateStore;
  /** Key of the pin in `state`. */
  readonly key: string;
  readonly clock: Clock;
  readonly log: Log;
  /** Called when the cluster was checked. */
  readonly onChecked: () => void;
}

/** A kind as it was seen last. */
interface PinnedKind {
  readonly version: string | null;
  readonly objects: number;
  /** Creation of the newest object ever seen, Unix milliseconds; 0 = none was. */
  readonly newestMs: number;
}

interface Pin {
  /** Null = it may not be read. */
  readonly uid: string | null;
  readonly kinds: Readonly<Record<string, PinnedKind>>;
  /**
   * By secondary kind, its objects when it was listed and those added since. Ends are not counted:
   * they may be caused by the end of the definition.
   */
  readonly secondary: Readonly<Record<string, number>>;
}

/** The number of objects is compared only for a kind that had at least so many. */
const HANDFUL = 5;
const RETRY_MS = 5_000;
/**
 * Between two writes of the counts; objects that were deleted since the last one would look lost.
 */
const SAVE_MS = 1_000;

/** Compares one cluster each time when a kind of it was listed. */
export class PinnedCluster implements ClusterIdentity {
  readonly #options: PinnedClusterOptions;
  readonly #stops: readonly (() => void)[];
  /** Undefined = not read yet; null = the cluster is new. */
  #pin: Pin | null | undefined;
  /** The pin as the former process left it. */
  #former: Pin | null = null;
  #saved = "";
  #mustRead = false;
  /** Lists so far: one that comes during a comparison is compared after it. */
  #lists = 0;
  #isChecked = false;
  #wasChecked = false;
  #trouble: ClusterTrouble | null = null;
  /** Secondary kinds that were not served at the last comparison, or lack objects since then. */
  #unserved: ReadonlySet<string> = new Set();
  #last: Promise<void> = Promise.resolve();
  #timer: Timer | null = null;
  #isStopped = false;

  constructor(options: PinnedClusterOptions) {
    this.#options = options;
    const { view, kinds, secondary = [] } = options;
    const listener = {
      onChange: (change: ObjectChange) => this.#changed(change),
      onState: (_: KindRef, state: string) => this.#listed(state === "live"),
    };
    const ofSecondary = {
      onChange: (change: ObjectChange) => this.#secondaryChanged(change),
      onState: (_: KindRef, state: string) => this.#listed(state === "live" || state === "absent"),
    };
    this.#stops = [
      ...kinds.map((kind) => view.subscribe(kind, listener)),
      ...secondary.map((kind) => view.subscribe(kind, ofSecondary)),
    ];
    this.#listed(kinds.some((kind) => view.state(kind) === "live"));
  }

  get isChecked(): boolean {
    return this.#isChecked;
  }

  get wasChecked(): boolean {
    return this.#wasChecked;
  }

  get trouble(): ClusterTrouble | null {
    return this.#trouble;
  }

  newestMs(kind: KindRef): number | null {
    // clause: former-process-alone-saw-them
    return this.#former?.kinds[kindText(kind)]?.newestMs || null;
  }

  /** The cluster is right as it is now; false = nothing of this hash differs. */
  async accept(hash: string): Promise<boolean> {
    if (this.#trouble?.hash !== hash) return false;
    this.#options.log.info("cluster accepted by a person", { cluster: this.#id, hash });
    this.#pin = null;
    this.#listed(true);
    await this.#last;
    return true;
  }

  /** Saves the counts: else the next process would take deleted objects for lost ones. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#timer?.cancel();
    for (const stop of this.#stops) stop();
    await this.#last;
    if (this.#pin) await this.#save().catch(unlessSaved);
  }

  get #id(): string {
    return this.#options.view.clusterId;
  }

  /**
   * Objects missing from a list cause a comparison; those that a watch adds or deletes are counted.
   * Objects of a first list are counted with that list.
   */
  #changed({ type, kind, proof, object }: ObjectChange): void {
    if (proof === "missing-from-list") this.#listed(true);
    if (this.#options.view.state(kind) !== "live") return;
    const name = kindText(kind);
    const pinned = this.#pin?.kinds[name];
    if (!this.#isChecked || !this.#pin || pinned === undefined || type === "modified") return;
    const objects = pinned.objects + (type === "added" ? 1 : -1);
    const version = this.#options.view.newest(kind);
    const newestMs = newestOf([object], pinned);
    const kinds = { ...this.#pin.kinds, [name]: { version, objects, newestMs } };
    this.#pin = { ...this.#pin, kinds };
    this.#saveLater();
  }

  #secondaryChanged({ type, kind }: ObjectChange): void {
    if (type !== "added" || this.#options.view.state(kind) !== "live") return;
    const name = kindText(kind);
    if (this.#unserved.size > 0) this.#listed(true);
    else if (this.#isChecked && this.#pin) {
      const secondary = { ...this.#pin.secondary };
      secondary[name] = (secondary[name] ?? 0) + 1;
      this.#pin = { ...this.#pin, secondary };
      this.#saveLater();
    }
  }

  #listed(isLive: boolean): void {
    if (!isLive) return;
    this.#lists += 1;
    this.#isChecked = false;
    this.#check();
  }

  #check(): void {
    this.#last = this.#last.then(async () => {
      if (this.#isStopped || this.#isChecked) return;
      try {
        await this.#compare();
      } catch (error) {
        if (!(error instanceof OperationError)) throw error;
        const reason = messageOf(error);
        this.#options.log.warn("cluster cannot be checked", { cluster: this.#id, reason });
        this.#later(RETRY_MS, () => this.#check());
      }
    });
  }

  async #compare(): Promise<void> {
    const { log, onChecked } = this.#options;
    const lists = this.#lists;
    if (this.#pin === undefined) this.#pin = await this.#load();
    const uid = await this.#readUid();
    const now = this.#now(uid);
    const unserved = this.#unservedOf(this.#pin);
    this.#unserved = new Set(unserved.map(({ of }) => of));
    const differences = [...differencesOf(this.#pin, now), ...unserved];
    const hash = fingerprint64(JSON.stringify([this.#id, uid, differences.map(({ of }) => of)]));
    const texts = differences.map(({ text }) => text).join("; ");
    const message = `cluster ${this.#id} is not the one it was: ${texts}. Nothing that is missing from it counts as gone. If it is right as it is now: zonekeeper approve ${hash}`;
    if (differences.length > 0 && this.#trouble?.hash !== hash) log.warn(message, { hash });
    this.#trouble = differences.length > 0 ? { message, hash } : null;
    if (this.#trouble === null) {
      this.#pin = now;
      await this.#save();
    }
    this.#isChecked = lists === this.#lists;
    this.#wasChecked = true;
    onChecked();
  }

  /** The pin as the cluster is now; kinds that are not live keep their pinned values. */
  #now(uid: string | null): Pin {
    const { view, kinds } = this.#options;
    const listed = kinds.flatMap((kind): [string, PinnedKind][] => {
      const list = view.state(kind) === "live" ? view.list(kind) : null;
      if (list?.state !== "value") return [];
      const name = kindText(kind);
      const newestMs = newestOf(list.value, this.#pin?.kinds[name]);
      return [[name, { version: view.newest(kind), objects: list.value.length, newestMs }]];
    });
    const kept = this.#pin ?? { uid: null, kinds: {}, secondary: {} };
    const counted = (this.#options.secondary ?? []).flatMap((kind): [string, number][] => {
      const objects = this.#objectsOf(kind);
      return objects === null ? [] : [[kindText(kind), objects]];
    });
    return {
      uid: uid ?? kept.uid,
      kinds: { ...kept.kinds, ...Object.fromEntries(listed) },
      secondary: { ...kept.secondary, ...Object.fromEntries(counted) },
    };
  }

  /** How many objects the kind has; null = it is not live. */
  #objectsOf(kind: KindRef): number | null {
    const { view } = this.#options;
    const list = view.state(kind) === "live" ? view.list(kind) : null;
    return list?.state === "value" ? list.value.length : null;
  }

  /** Secondary kinds that are not served, or are again and lack objects that they had. */
  #unservedOf(pin: Pin | null): readonly Difference[] {
    const { view, secondary = [] } = this.#options;
    return secondary.flatMap((kind): readonly Difference[] => {
      const name = kindText(kind);
      const known = pin?.secondary[name] ?? 0;
      const found = this.#objectsOf(kind) ?? 0;
      const isGone = /* clause: secondary-kind-was-served */ view.state(kind) === "absent";
      const lacks = isGone || /* clause: unserved-kind-lacks-objects */ this.#unserved.has(name);
      if (known === 0 || !lacks || found >= known) return [];
      const text = isGone
        ? `it serves ${name} no more, of which it had ${known}: install their definition again, then apply them`
        : `${found} of ${known} ${name} are there since their definition is back: apply the others`;
      return [{ of: name, text }];
    });
  }

  async #readUid(): Promise<string | null> {
    try {
      return await readClusterId(this.#options.reader);
    } catch (error) {
      if (error instanceof OperationError && NO_UID.has(error.code)) return null;
      throw error;
    }
  }

  async #load(): Promise<Pin | null> {
    const text = await this.#options.state.read(this.#options.key);
    this.#saved = text ?? "";
    this.#former = text === null ? null : pinIn(text);
    return this.#former;
  }

  async #save(): Promise<void> {
    const text = JSON.stringify(this.#pin);
    if (text === this.#saved) return;
    const { state, key } = this.#options;
    if (this.#mustRead) await state.read(key);
    this.#mustRead = true;
    await state.write(key, text);
    this.#mustRead = false;
    this.#saved = text;
  }

  #saveLater(): void {
    if (this.#timer !== null) return;
    this.#later(SAVE_MS, () => {
      this.#last = this.#last.then(() => this.#save()).catch(() => this.#saveLater());
    });
  }

  #later(ms: number, act: () => void): void {
    if (this.#isStopped) return;
    this.#timer?.cancel();
    this.#timer = this.#options.clock.setTimer(ms, () => {
      this.#timer = null;
      act();
    });
  }
}

/**
 * A pin that cannot be saved at the end is ignored: the next process compares with the last one.
 */
function unlessSaved(error: unknown): void {
  if (!(error instanceof OperationError)) throw error;
}

/**
 * Failures after which the UID counts as not readable: no right, or a server without kube-system.
 */
const NO_UID: ReadonlySet<string> = new Set(["Forbidden", "NoClusterId"]);

function pinIn(text: string): Pin {
  const value = jsonIn(text);
  if (value === undefined) {
    const message = "what was known of the cluster cannot be read; remove it to begin anew";
    throw new OperationError({ code: "StateUnusable", message, retry: "backoff" });
  }
  const kept = fieldsOf(value);
  const kinds = Object.entries(fieldsOf(kept["kinds"])).map(([kind, value]) => {
    const { version, objects, newestMs } = fieldsOf(value);
    const [count, newest] = [numberOf(objects) ?? 0, numberOf(newestMs) ?? 0];
    const pinned = { version: textOf(version), objects: count, newestMs: newest };
    return [kind, pinned] as const;
  });
  const counted = Object.entries(fieldsOf(kept["secondary"]));
  const secondary = counted.map(([kind, objects]) => [kind, numberOf(objects) ?? 0] as const);
  return {
    uid: textOf(kept["uid"]),
    kinds: Object.fromEntries(kinds),
    secondary: Object.fromEntries(secondary),
  };
}

/** Creation of the newest of these objects and those before, Unix milliseconds. */
function newestOf(objects: readonly KubeObject[], before: PinnedKind | undefined): number {
  let newestMs = before?.newestMs ?? 0;
  for (const { metadata } of objects) {
    const createdMs = Date.parse(metadata.creationTimestamp ?? "");
    if (createdMs > newestMs) newestMs = createdMs;
  }
  return newestMs;
}

interface Difference {
  /** The kind that differs, or `uid`. */
  readonly of: string;
  readonly text: string;
}

function differencesOf(pin: Pin | null, now: Pin): readonly Difference[] {
  if (pin === null) return [];
  const isOther = pin.uid !== null && pin.uid !== now.uid;
  const uid = isOther ? [{ of: "uid", text: `its UID is ${now.uid} and was ${pin.uid}` }] : [];
  const kinds = Object.entries(now.kinds).flatMap(([kind, found]): readonly Difference[] => {
    const known = pin.kinds[kind];
    if (known === undefined) return [];
    const older = `its ${kind} have version ${found.version}, after ${known.version}`;
    if (known.version !== null && found.version !== null && isOlder(found.version, known.version))
      return [{ of: kind, text: older }];
    const isLost = known.objects >= HANDFUL && found.objects * 2 < known.objects;
    const lost = `${found.objects} of ${known.objects} ${kind} are there`;
    return isLost ? [{ of: kind, text: lost }] : [];
  });
  return [...uid, ...kinds];
}
