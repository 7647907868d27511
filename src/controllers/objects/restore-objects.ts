/**
 * Creates deleted objects again. The fuse held the removal of their records (the set) for a person,
 * who says by this that the deletion was a mistake; approving the set would say the opposite. An
 * object that exists is never changed.
 */
import { compareText } from "@zonekeeper/base/compare-text";
import { messageOf, OperationError } from "@zonekeeper/base/operation-error";
import { type Clock, sleep } from "@zonekeeper/base/ports/clock";
import { timeText } from "@zonekeeper/base/time-text";
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import { type KubeObject, kindText } from "@zonekeeper/kube/objects/kubernetes";
import type { ObjectRef } from "@zonekeeper/kube/ports/cluster-writer";
import type { Finalizers } from "../../model/dns-class.ts";
import { isMarkOf, namespaceIn, type ObjectMark } from "../../model/provenance.ts";
import { listedNames } from "../../sources/source.ts";
import type { DeletedObject } from "./deleted-objects.ts";
import { patchFinalizer } from "./finalizers.ts";

/** A removal that is held. */
export interface HeldRemoval {
  readonly name: DnsName;
  /**
   * The marker of the record, which names its object; null = it is not known, and no object
   * matches.
   */
  readonly marker: ObjectMark | null;
}

/** An object, and what becomes of it. */
export interface RestoredObject {
  /** `dnsentry/default/www`. */
  readonly object: string;
  /**
   * `restore`: it would be created. `apply`: only a person can create it. `left`: it exists.
   * `outside-set`: it was deleted within the same hour and is not of the set, so it stays away.
   */
  readonly state: "restore" | "restored" | "left" | "apply" | "failed" | "outside-set";
  /** For people; empty where the state says all. */
  readonly message: string;
  /**
   * Says what is created; with `apply` what a person may apply. Null = the object exists, or its
   * manifest is not known here.
   */
  readonly manifest: KubeObject | null;
}

/** Everything that restoring works with. */
export interface RestoreContext {
  readonly kept: readonly DeletedObject[];
  /** Our own ones: an object that is held by no others can be deleted for good. */
  readonly finalizers: Finalizers;
  readonly clock: Clock;
}

/**
 * Objects that were deleted within these milliseconds, in the namespaces of the set, may belong to
 * the same accident.
 */
const ACCIDENT_MS = 3_600_000;
/**
 * Checks whether an object is gone after its finalizer was removed, and milliseconds between them.
 */
const GONE_TRIES = 25;
const GONE_PAUSE_MS = 200;

/**
 * The objects of the held set, sorted by object. `isDoing` true = they are created, and no others;
 * false = nothing is created, and the answer also lists the objects that were deleted within the
 * hour in the namespaces of the set (`outside-set`).
 */
export async function restoreObjects(
  context: RestoreContext,
  held: readonly HeldRemoval[],
  isDoing: boolean,
): Promise<readonly RestoredObject[]> {
  const rows: RestoredObject[] = [];
  const originals = new Set<string>();
  const meant = context.kept.filter((kept) => isOfSet(kept, held));
  for (const one of meant) {
    // A generated entry is made again by its controller once its source object is there.
    const { original } = one;
    if (original === null) rows.push(await restoreOne(context, one, isDoing));
    else originals.add(original);
  }
  const message = "apply its manifest again: this program has no right to create it";
  for (const object of originals) rows.push({ object, state: "apply", message, manifest: null });
  return [...rows.sort(byObject), ...(isDoing ? [] : outsideSet(context, held, originals))];
}

/**
 * True = the object listed a name of the set, and the marker at that name names the object or the
 * one that it was made for.
 */
function isOfSet({ of, manifest, marked }: DeletedObject, held: readonly HeldRemoval[]): boolean {
  const names = listedNames(of.source.endpoints(manifest, of.view));
  return held.some(({ name, marker }) => names.has(name) && isMarkOf(marker, marked));
}

/**
 * There is one row for each object; entries that were made for one object are that object's row.
 */
function outsideSet(
  { kept, clock }: RestoreContext,
  held: readonly HeldRemoval[],
  known: ReadonlySet<string>,
): readonly RestoredObject[] {
  const rows = new Map<string, RestoredObject>();
  for (const one of kept) {
    const { of, original, manifest, atMs } = one;
    const { namespace = "", name } = manifest.metadata;
    const isNear = held.some(({ marker }) => namespaceIn(marker?.resource ?? null) === namespace);
    if (!isNear || clock.nowMs() - atMs > ACCIDENT_MS || isOfSet(one, held)) continue;
    const object = original ?? objectText(of, namespace, name);
    const message = `deleted at ${timeText(atMs)}`;
    const own = original === null ? manifest : null;
    if (!known.has(object))
      rows.set(object, { object, state: "outside-set", message, manifest: own });
  }
  return [...rows.values()].sort(byObject);
}

function byObject(a: RestoredObject, b: RestoredObject): number {
  return compareText(a.object, b.object);
}

function objectText({ source }: DeletedObject["of"], namespace: string, name: string): string {
  return `${source.primary.kind.toLowerCase()}/${namespace}/${name}`;
}

async function restoreOne(
  context: RestoreContext,
  { of, manifest }: DeletedObject,
  isDoing: boolean,
): Promise<RestoredObject> {
  const { writer, source } = of;
  const { namespace = "", name } = manifest.metadata;
  const ref = { kind: source.primary, namespace, name };
  const object = objectText(of, namespace, name);
  try {
    const present = await writer.read(ref);
    if (present !== null && present.metadata.deletionTimestamp === undefined)
      return { object, state: "left", message: "it exists and is left as it is", manifest: null };
    if (!isDoing) return { object, state: "restore", message: "", manifest };
    // Creating comes first: without the right to create, the finalizer of the former object stays.
    if (!(await isCreated(of, manifest))) {
      if (present !== null) await letGo(context, { of, ref, present });
      await writer.create(source.primary, manifest);
    }
    return { object, state: "restored", message: "", manifest };
  } catch (error) {
    if (!(error instanceof OperationError)) throw error;
    const message = messageOf(error);
    if (error.code !== "Forbidden") return { object, state: "failed", message, manifest };
    // The API server's message names the missing right or the admission plug-in that refused.
    const remedy = "apply its manifest, or give the right (deploy/rbac/) and repeat the command";
    return { object, state: "apply", message: `${message}; ${remedy}`, manifest };
  }
}

/** False = an object of the name exists. Throws OperationError. */
async function isCreated(
  { writer, source }: DeletedObject["of"],
  manifest: KubeObject,
): Promise<boolean> {
  try {
    await writer.create(source.primary, manifest);
    return true;
  } catch (error) {
    if (error instanceof OperationError && error.code === "AlreadyExists") return false;
    throw error;
  }
}

interface Going {
  readonly of: DeletedObject["of"];
  readonly ref: ObjectRef;
  readonly present: KubeObject;
}

/**
 * Lets the API server delete the former object for good: removes our finalizers and waits until it
 * is gone. Its record stays, since the fuse holds the removal. Throws OperationError when it is not
 * gone in time, at once where finalizers of others hold it.
 */
async function letGo(
  { finalizers, clock }: RestoreContext,
  { of: { writer, source }, ref, present }: Going,
): Promise<void> {
  const others = (present.metadata.finalizers ?? []).filter((one) => !finalizers.includes(one));
  let now = present;
  for (let tries = 0; others.length === 0 && tries < GONE_TRIES; tries++) {
    const change = { object: now, finalizers, to: "remove" } as const;
    // On a conflict (its status was written in that moment) it is read again.
    await patchFinalizer(writer, source.primary, change).catch((error: unknown) => {
      if (!(error instanceof OperationError)) throw error;
      if (error.code !== "Conflict" && error.code !== "NotFound") throw error;
    });
    const read = await writer.read(ref);
    if (read === null || read.metadata.uid !== present.metadata.uid) return;
    now = read;
    await sleep(clock, GONE_PAUSE_MS);
  }
  const what = `${kindText(ref.kind)} ${ref.namespace}/${ref.name}`;
  const why = others.length === 0 ? "" : `; ${others.join(", ")} of others hold it`;
  throw new OperationError({
    code: "StillDeleting",
    message: `${what} is still being deleted${why}; repeat the command when it is gone`,
    retry: "never",
  });
}
