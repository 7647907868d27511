/**
 * Create, change and delete of objects as one atomic step each, with namespace checks, finalizers
 * and preconditions. Knows storage and rules, not HTTP. Dry runs take the same path and keep
 * nothing.
 */
import type { Clock } from "@zonekeeper/base/ports/clock";
import type { Random } from "@zonekeeper/base/ports/random";
import { timeText } from "@zonekeeper/base/time-text";
import { CUSTOM_RESOURCE_DEFINITION, NAMESPACE } from "../../objects/kinds.ts";
import { kindText } from "../../objects/kubernetes.ts";
import { recordUpdate } from "../apply/field-manager.ts";
import type { Manager } from "../apply/managed-fields.ts";
import {
  ApiError,
  alreadyExists,
  invalid,
  namespaceTerminating,
  noSuchPath,
  notFound,
  refused,
  wrong,
} from "../errors/api-error.ts";
import { equalJson } from "../json/json.ts";
import {
  checkPreconditions,
  type DeleteOptions,
  finalizersFor,
  goneObject,
  markedObject,
} from "../objects/deletion.ts";
import {
  type ChangedPart,
  changedObject,
  newObject,
  type RuleContext,
  toolsOf,
} from "../objects/object-rules.ts";
import type { ServedKind, StoredObject, UniqueRule } from "../objects/served-kind.ts";
import type { CommittedChange, ObjectStorage } from "./object-storage.ts";
import type { Transaction } from "./transaction.ts";

/** The object of a write, and whether the write is only tried. */
export interface WriteTarget {
  readonly kind: ServedKind;
  /** Empty for cluster-scoped kinds. */
  readonly namespace: string;
  readonly name: string;
  readonly dryRun: boolean;
  /** Who owns what the write changes; absent = the record of owners stays as the object has it. */
  readonly by?: Manager;
}

/** A change of an existing object. */
export interface ChangeRequest extends WriteTarget {
  readonly part: ChangedPart;
  /** The object as the client wants it, made from the present one. May throw ApiError. */
  readonly apply: (current: StoredObject) => StoredObject;
}

/** An object that is applied: changed, or created when it is not there. */
export interface ApplyRequest extends WriteTarget {
  readonly part: ChangedPart;
  /**
   * The object with its record of owners, made from the present one; null = there is none. May
   * throw ApiError.
   */
  readonly apply: (current: StoredObject | null) => StoredObject;
}

/** The outcome of an apply. */
export interface Applied {
  readonly object: StoredObject;
  readonly created: boolean;
}

/** The outcome of a deletion: removed, or kept until its finalizers are gone. */
export interface Deletion {
  readonly object: StoredObject;
  readonly removed: boolean;
}

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
    return this.#run(request.dryRun, (transaction) =>
      this.#change(transaction, request, present(transaction, request)),
    );
  }

  /** Applies the object; a status is applied to an object that is there only (else 404). */
  apply(request: ApplyRequest): Promise<Applied> {
    const { kind, namespace, name, part, dryRun } = request;
    return this.#run(dryRun, (transaction) => {
      const current =
        part === "status"
          ? present(transaction, request)
          : transaction.get(kind.kept, namespace, name);
      if (current !== null)
        return { object: this.#change(transaction, request, current), created: false };
      const object = this.#create(transaction, request, request.apply(null));
      return { object: dryRun ? withVersionOf(object, null) : object, created: true };
    });
  }

  /** Deletes the object, or marks it as being deleted while it has finalizers. */
  remove(target: WriteTarget, options: DeleteOptions): Promise<Deletion> {
    return this.#run(target.dryRun, (transaction) => {
      const current = present(transaction, target);
      checkPreconditions(target.kind.ref, current, options);
      if (target.kind.ref === NAMESPACE && FIXED_NAMESPACES.includes(target.name))
        throw refused(NAMESPACE, target.name, "this namespace may not be deleted");
      return this.#remove(transaction, target, current, options.propagation);
    });
  }

  #change(transaction: Transaction, request: ChangeRequest, current: StoredObject): StoredObject {
    const { kind, part } = request;
    const input = this.#recorded(request, {
      live: current,
      next: kind.defaults(request.apply(kind.present(current))),
    });
    const context = this.#context(transaction, kind);
    const next = changedObject({ kind, input, part }, current, context);
    this.#checkUnique(transaction, kind, next, current);
    const kept = keep(transaction, kind, current, next);
    // The client that removes the last finalizer gets the object's last version, as from
    // kube-apiserver, not the version of the removal.
    const isGone = transaction.get(kind.kept, request.namespace, request.name) === null;
    return request.dryRun || isGone ? withVersionOf(kept, current) : kept;
  }

  /** The object with the record of who owns its fields. */
  #recorded(
    target: WriteTarget & { readonly part?: ChangedPart },
    objects: { readonly live: StoredObject | null; readonly next: StoredObject },
  ): StoredObject {
    if (target.by === undefined) return objects.next;
    const author = { ...target.by, time: timeText(this.#clock.nowMs()) };
    const { managedFields: _sent, ...rest } = objects.next.metadata;
    const managedFields = recordUpdate(target.kind, { ...objects, author });
    const record = managedFields === undefined ? {} : { managedFields };
    return { ...objects.next, metadata: { ...rest, name: objects.next.metadata.name, ...record } };
  }

  #create(transaction: Transaction, target: WriteTarget, input: StoredObject): StoredObject {
    const { kind, namespace } = target;
    if (kind.custom) checkDefinition(transaction, kind);
    if (kind.ref.namespaced) checkNamespace(transaction, target, input.metadata.name);
    const where = kind.ref.namespaced ? { namespace } : {};
    const located = { ...input, metadata: { ...input.metadata, ...where } };
    const recorded = this.#recorded(target, { live: null, next: kind.defaults(located) });
    const object = newObject(kind, recorded, this.#context(transaction, kind));
    const { name } = object.metadata;
    if (transaction.get(kind.kept, namespace, name) !== null) throw alreadyExists(kind.ref, name);
    this.#checkUnique(transaction, kind, object, null);
    return transaction.put(kind.kept, object);
  }

  /** A value that the object had already is its own. */
  #checkUnique(
    transaction: Transaction,
    kind: ServedKind,
    object: StoredObject,
    current: StoredObject | null,
  ): void {
    const value = kind.unique?.valueOf(object) ?? null;
    const had = current === null ? null : kind.unique?.valueOf(current);
    if (kind.unique === null || value === null || value === had) return;
    if (!this.#values.isTaken(kind, value, transaction)) return;
    throw invalid(kind.ref, object.metadata.name, [
      wrong(kind.unique.field, value, "provided value is already allocated"),
    ]);
  }

  #remove(
    transaction: Transaction,
    target: WriteTarget,
    current: StoredObject,
    propagation: DeleteOptions["propagation"],
  ): Deletion {
    const { kind } = target;
    const finalizers = finalizersFor(kind, current, propagation);
    const tools = toolsOf(this.#context(transaction, kind));
    if (finalizers.length === 0 && kind.ref !== NAMESPACE) {
      const gone = transaction.remove(kind.kept, current);
      return { object: goneObject(kind, target.dryRun ? current : gone, tools), removed: true };
    }
    const isMarked = current.metadata.deletionTimestamp !== undefined;
    if (isMarked && equalJson(current.metadata.finalizers ?? [], finalizers))
      return { object: current, removed: false };
    const marked = markedObject(kind, current, finalizers, tools);
    return { object: transaction.put(kind.kept, marked), removed: false };
  }

  #context(transaction: Transaction, kind: ServedKind): RuleContext {
    return {
      clock: this.#clock,
      random: this.#random,
      isTaken: (value) => this.#values.isTaken(kind, value, transaction),
    };
  }

  /** A dry run works on a fork that is never merged. */
  #run<T>(dryRun: boolean, change: (transaction: Transaction) => T): Promise<T> {
    return this.#storage.write((transaction) => change(dryRun ? transaction.fork() : transaction));
  }
}

/** Puts the changed object, or removes it when it was only waiting for its last finalizer. */
export function keep(
  transaction: Transaction,
  kind: ServedKind,
  current: StoredObject,
  next: StoredObject,
): StoredObject {
  if (next === current) return current;
  const isDone =
    next.metadata.deletionTimestamp !== undefined && (next.metadata.finalizers ?? []).length === 0;
  if (isDone && kind.ref !== NAMESPACE) return transaction.remove(kind.kept, next);
  return transaction.put(kind.kept, next);
}

/**
 * With the present version instead of the one that the write made, or with none: a dry run makes no
 * version.
 */
function withVersionOf(object: StoredObject, current: StoredObject | null): StoredObject {
  const { resourceVersion: _made, ...rest } = object.metadata;
  const version = current?.metadata.resourceVersion;
  const own = version === undefined ? {} : { resourceVersion: version };
  return { ...object, metadata: { ...rest, name: object.metadata.name, ...own } };
}

/** The object to write to. */
function present(transaction: Transaction, target: WriteTarget): StoredObject {
  const object = transaction.get(target.kind.kept, target.namespace, target.name);
  if (object === null) throw notFound(target.kind.ref, target.name);
  return object;
}

/** Custom objects are created only while their definition stays. */
function checkDefinition(transaction: Transaction, kind: ServedKind): void {
  const name = kindText(kind.ref);
  const definition = transaction.get(CUSTOM_RESOURCE_DEFINITION, "", name);
  if (definition === null) throw noSuchPath();
  if (definition.metadata.deletionTimestamp === undefined) return;
  throw new ApiError(
    "MethodNotAllowed",
    "create not allowed while custom resource definition is terminating",
  );
}

/** Objects are created only in namespaces that exist and stay. */
function checkNamespace(transaction: Transaction, target: WriteTarget, name: string): void {
  const namespace = transaction.get(NAMESPACE, "", target.namespace);
  if (namespace === null) throw notFound(NAMESPACE, target.namespace);
  if (namespace.metadata.deletionTimestamp !== undefined)
    throw namespaceTerminating(target.kind.ref, name, target.namespace);
}

// The values that no two objects of a kind may share, by kind. Follows committed changes, so that a
// write does not read every other object.

/** Values in use, by `kindText`. */
class UniqueValues {
  readonly #rules = new Map<string, UniqueRule>();
  readonly #taken = new Map<string, Set<string>>();

  constructor(storage: ObjectStorage, kinds: readonly ServedKind[]) {
    for (const { ref, unique } of kinds) {
      if (unique === null) continue;
      const values = storage.list(ref).map(unique.valueOf);
      this.#rules.set(kindText(ref), unique);
      this.#taken.set(kindText(ref), new Set(values.filter((value) => value !== null)));
    }
    storage.listen((change) => this.#note(change));
  }

  /** True when a committed object, or one of the same commit, has the value. */
  isTaken(kind: ServedKind, value: string, transaction: Transaction): boolean {
    if (this.#taken.get(kindText(kind.ref))?.has(value) === true) return true;
    return transaction.changes.some(
      (change) => change.kind === kind.ref && kind.unique?.valueOf(change.object) === value,
    );
  }

  #note(change: CommittedChange): void {
    const rule = this.#rules.get(kindText(change.kind));
    const taken = this.#taken.get(kindText(change.kind));
    if (rule === undefined || taken === undefined) return;
    const before = change.previous === null ? null : rule.valueOf(change.previous);
    const after = change.removed ? null : rule.valueOf(change.object);
    if (before !== null) taken.delete(before);
    if (after !== null) taken.add(after);
  }
}
