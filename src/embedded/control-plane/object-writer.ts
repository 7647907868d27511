/**
 * Create, change and delete of objects as one atomic step each, with namespace checks, finalizers and
 * preconditions. Knows storage and rules, not HTTP. Dry runs take the same path and keep nothing.
 */
import { NAMESPACE } from "../../model/kinds.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Random } from "../../ports/random.ts";
import { alreadyExists, forbidden, invalid, notFound, preconditionFailed } from "./api-error.ts";
import {
  type ChangedPart,
  changedObject,
  newObject,
  type RuleContext,
  timestamp,
} from "./object-rules.ts";
import type { ObjectStorage } from "./object-storage.ts";
import type { ServedKind, StoredObject } from "./served-kind.ts";
import type { Transaction } from "./transaction.ts";
import { UniqueValues } from "./unique-values.ts";

/** Which object, and whether the write is only tried. */
export interface WriteTarget {
  readonly kind: ServedKind;
  /** Empty for cluster-scoped kinds. */
  readonly namespace: string;
  readonly name: string;
  readonly dryRun: boolean;
}

/** A change of an existing object. */
export interface ChangeRequest extends WriteTarget {
  readonly part: ChangedPart;
  /** The object as the client wants it, made from the present one. May throw ApiError. */
  readonly apply: (current: StoredObject) => StoredObject;
}

/** What happens to the objects that the deleted one owns. */
export type Propagation = "Background" | "Foreground" | "Orphan";

/** Options of a deletion. */
export interface DeleteOptions {
  /** Null = any. */
  readonly uid: string | null;
  /** Null = any. */
  readonly resourceVersion: string | null;
  readonly propagation: Propagation;
}

/** The outcome of a deletion: removed, or kept until its finalizers are gone. */
export interface Deletion {
  readonly object: StoredObject;
  readonly removed: boolean;
}

/** Finalizer of a foreground deletion; the garbage collector removes it. */
export const FOREGROUND_FINALIZER = "foregroundDeletion";
/** Finalizer of an orphaning deletion; the garbage collector removes it. */
export const ORPHAN_FINALIZER = "orphan";
/** Namespaces that stay. */
export const FIXED_NAMESPACES: readonly string[] = ["default", "kube-system", "kube-public"];

/** Writes objects. All methods reject with ApiError. */
export class ObjectWriter {
  readonly #storage: ObjectStorage;
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #values: UniqueValues;

  constructor(options: {
    readonly storage: ObjectStorage;
    readonly kinds: readonly ServedKind[];
    readonly clock: Clock;
    readonly random: Random;
  }) {
    this.#storage = options.storage;
    this.#clock = options.clock;
    this.#random = options.random;
    this.#values = new UniqueValues(options.storage, options.kinds);
  }

  /** Creates the object in `target.namespace`; the name comes from the object. */
  create(target: WriteTarget, input: StoredObject): Promise<StoredObject> {
    return this.#run(target.dryRun, (transaction) => {
      const created = this.#create(transaction, target, input);
      return target.dryRun ? withVersionOf(created, null) : created;
    });
  }

  /** Changes the object; rejects with 404 when it is not there. */
  change(request: ChangeRequest): Promise<StoredObject> {
    return this.#run(request.dryRun, (transaction) => {
      const current = present(transaction, request);
      const context = this.#context(transaction, request.kind);
      const input = request.apply(current);
      const next = changedObject(
        { kind: request.kind, input, part: request.part },
        current,
        context,
      );
      this.#checkUnique(transaction, request.kind, { object: next, current });
      const kept = keep(transaction, request.kind, { current, next });
      return request.dryRun ? withVersionOf(kept, current) : kept;
    });
  }

  /** Deletes the object, or marks it as being deleted when finalizers are left. */
  remove(target: WriteTarget, options: DeleteOptions): Promise<Deletion> {
    return this.#run(target.dryRun, (transaction) => {
      const current = present(transaction, target);
      checkPreconditions(target, current, options);
      if (target.kind.ref.kind === NAMESPACE.kind && target.kind.ref.group === "")
        checkNamespaceMayGo(current);
      return this.#remove(transaction, target, { current, options });
    });
  }

  #create(transaction: Transaction, target: WriteTarget, input: StoredObject): StoredObject {
    const { kind, namespace } = target;
    if (kind.ref.namespaced) checkNamespace(transaction, target, input.metadata.name);
    const located = kind.ref.namespaced
      ? { ...input, metadata: { ...input.metadata, namespace } }
      : input;
    const object = newObject(kind, located, this.#context(transaction, kind));
    const { name } = object.metadata;
    if (transaction.get(kind.ref, namespace, name) !== null) throw alreadyExists(kind.ref, name);
    this.#checkUnique(transaction, kind, { object, current: null });
    return transaction.put(kind.ref, object);
  }

  /** A value that the object had already is its own. */
  #checkUnique(
    transaction: Transaction,
    kind: ServedKind,
    change: { readonly object: StoredObject; readonly current: StoredObject | null },
  ): void {
    const { object, current } = change;
    const value = kind.unique?.valueOf(object) ?? null;
    const had = current === null ? null : kind.unique?.valueOf(current);
    if (kind.unique === null || value === null || value === had) return;
    if (!this.#values.isTaken(kind, value, transaction)) return;
    const { field } = kind.unique;
    const detail = "provided value is already allocated";
    throw invalid(kind.ref, object.metadata.name, [
      { field, reason: "FieldValueInvalid", value, detail },
    ]);
  }

  #remove(
    transaction: Transaction,
    target: WriteTarget,
    request: { readonly current: StoredObject; readonly options: DeleteOptions },
  ): Deletion {
    const { current, options } = request;
    const finalizers = finalizersFor(current, options.propagation);
    const isNamespace = target.kind.ref.kind === NAMESPACE.kind && target.kind.ref.group === "";
    if (finalizers.length === 0 && !isNamespace)
      return { object: transaction.remove(target.kind.ref, current), removed: true };
    if (current.metadata.deletionTimestamp !== undefined)
      return { object: current, removed: false };
    const counted = target.kind.generation === "counted";
    const marked: StoredObject = {
      ...current,
      metadata: {
        ...current.metadata,
        ...(finalizers.length > 0 ? { finalizers } : {}),
        deletionTimestamp: timestamp(this.#clock),
        deletionGracePeriodSeconds: 0,
        ...(counted ? { generation: (current.metadata.generation ?? 0) + 1 } : {}),
      },
    };
    const admitted = target.kind.admit(marked, current, { isTaken: () => false, random: () => 0 });
    return { object: transaction.put(target.kind.ref, admitted), removed: false };
  }

  #context(transaction: Transaction, kind: ServedKind): RuleContext {
    return {
      clock: this.#clock,
      random: this.#random,
      isTaken: (value) => this.#values.isTaken(kind, value, transaction),
    };
  }

  /** A dry run works on a fork that nobody merges. */
  #run<T>(dryRun: boolean, change: (transaction: Transaction) => T): Promise<T> {
    return this.#storage.write((transaction) => change(dryRun ? transaction.fork() : transaction));
  }
}

/** Puts the changed object, or removes it when it was only waiting for its last finalizer. */
export function keep(
  transaction: Transaction,
  kind: ServedKind,
  change: { readonly current: StoredObject; readonly next: StoredObject },
): StoredObject {
  const { current, next } = change;
  if (next === current) return current;
  const isDone =
    next.metadata.deletionTimestamp !== undefined && (next.metadata.finalizers ?? []).length === 0;
  const isNamespace = kind.ref.kind === NAMESPACE.kind && kind.ref.group === "";
  if (isDone && !isNamespace) return transaction.remove(kind.ref, next);
  return transaction.put(kind.ref, next);
}

/** A dry run makes no version: the present one is shown, or none. */
function withVersionOf(object: StoredObject, current: StoredObject | null): StoredObject {
  const { resourceVersion: _made, ...rest } = object.metadata;
  const version = current?.metadata.resourceVersion;
  const metadata = { ...rest, name: object.metadata.name };
  if (version === undefined) return { ...object, metadata };
  return { ...object, metadata: { ...metadata, resourceVersion: version } };
}

/** The object to write to. */
function present(transaction: Transaction, target: WriteTarget): StoredObject {
  const object = transaction.get(target.kind.ref, target.namespace, target.name);
  if (object === null) throw notFound(target.kind.ref, target.name);
  return object;
}

/** Objects are created only in namespaces that exist and stay. */
function checkNamespace(transaction: Transaction, target: WriteTarget, name: string): void {
  const namespace = transaction.get(NAMESPACE, "", target.namespace);
  if (namespace === null) throw notFound(NAMESPACE, target.namespace);
  if (namespace.metadata.deletionTimestamp !== undefined)
    throw forbidden(
      target.kind.ref,
      name,
      `unable to create new content in namespace ${target.namespace} because it is being terminated`,
    );
}

function checkNamespaceMayGo(namespace: StoredObject): void {
  const { name } = namespace.metadata;
  if (FIXED_NAMESPACES.includes(name))
    throw forbidden(NAMESPACE, name, "this namespace may not be deleted");
}

/** The version that the client looked at must be the present one. */
function checkPreconditions(
  target: WriteTarget,
  current: StoredObject,
  options: DeleteOptions,
): void {
  const { uid, resourceVersion } = current.metadata;
  if (options.uid !== null && options.uid !== uid)
    throw preconditionFailed(
      target.kind.ref,
      target.name,
      `the UID in the precondition (${options.uid}) does not match the UID in record (${uid ?? ""}). The object might have been deleted and then recreated`,
    );
  if (options.resourceVersion !== null && options.resourceVersion !== resourceVersion)
    throw preconditionFailed(
      target.kind.ref,
      target.name,
      `the ResourceVersion in the precondition (${options.resourceVersion}) does not match the ResourceVersion in record (${resourceVersion ?? ""}). The object might have been modified`,
    );
}

/** The finalizers that a deletion leaves to be waited for; the latest request decides about propagation. */
function finalizersFor(object: StoredObject, propagation: Propagation): readonly string[] {
  const kept = (object.metadata.finalizers ?? []).filter(
    (each) => each !== FOREGROUND_FINALIZER && each !== ORPHAN_FINALIZER,
  );
  if (propagation === "Foreground") return [...kept, FOREGROUND_FINALIZER];
  if (propagation === "Orphan") return [...kept, ORPHAN_FINALIZER];
  return kept;
}
