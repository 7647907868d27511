/**
 * What the control plane knows about one kind: names, schema, columns and the rules beyond the
 * schema. Data and pure functions; the list of kinds is `kinds/index.ts`.
 */
import {
  apiVersionOf,
  type KindRef,
  type KubeObject,
  kindText,
  type ObjectMeta,
} from "../../objects/kubernetes.ts";
import type { FieldError } from "../errors/api-error.ts";
import type { Schema } from "../schema/schema.ts";

/** Metadata with every field a client may send. */
export interface Meta extends ObjectMeta {
  readonly [field: string]: unknown;
}

/** An object as it is kept: immutable, never changed after it was stored. */
export interface StoredObject extends KubeObject {
  readonly metadata: Meta;
}

/** One column of a Table. */
export interface Column {
  readonly name: string;
  readonly type: "string" | "integer" | "date" | "boolean" | "number";
  readonly description: string;
  /** 0 = always shown; more = only with `-o wide`. */
  readonly priority: number;
  /** The cell of an object; `nowMs` is Unix milliseconds, for ages. */
  readonly cell: (object: StoredObject, nowMs: number) => CellValue;
}

/** A cell; null shows as `<none>` or blank. */
export type CellValue = string | number | boolean | null;

/** What rules may ask of the storage during a write. */
export interface AdmitContext {
  /** True when an object of the kind has the value that `ServedKind.unique` selects. */
  readonly isTaken: (value: string) => boolean;
  /** Uniform in [0, 1). */
  readonly random: () => number;
  /** RFC 3339, second precision. */
  readonly now: string;
}

/** Whether `metadata.generation` rises when anything but metadata and status changes. */
export type GenerationRule = "counted" | "none";

/** The syntax that names of a kind follow. */
export type NameRule = "subdomain" | "label" | "label-1035" | "path-segment";

/** A field whose value no two objects of a kind share, such as a cluster IP. */
export interface UniqueRule {
  /** For error messages. */
  readonly field: string;
  /** Null = the object has none. */
  readonly valueOf: (object: StoredObject) => string | null;
}

/** A kind that is served. */
export interface ServedKind {
  readonly ref: KindRef;
  /**
   * The kind as which its objects are stored: `ref` itself, but for a version or kind that shows
   * the objects of another one.
   */
  readonly kept: KindRef;
  readonly singular: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  /** True = PUT and PATCH of `/status`, and the main resource ignores `status`. */
  readonly hasStatus: boolean;
  /**
   * True = a creation sets the status: a reporter may create the object (kubelet and Node).
   */
  readonly createsStatus: boolean;
  /**
   * What a deletion is answered with: a Status, or the object that went (`ReturnDeletedObject` of
   * its storage), for kinds with a grace period marked as deleted.
   */
  readonly deletionShows: "status" | "object" | "marked object";
  /** Kind of lists; null = the kind and `List`. */
  readonly listKind: string | null;
  /** True for custom resources: merge patch only, null is a type error. */
  readonly custom: boolean;
  /** The whole object but apiVersion, kind and metadata. */
  readonly schema: Schema;
  readonly columns: readonly Column[];
  readonly generation: GenerationRule;
  /** True = a PUT without resourceVersion replaces whatever is there; false = it is refused. */
  readonly unconditionalUpdate: boolean;
  readonly nameRule: NameRule;
  /** Fields that a field selector may use, except metadata.name and metadata.namespace. */
  readonly selectable: Readonly<Record<string, (object: StoredObject) => string>>;
  /** What no two objects of the kind may share; null = nothing. */
  readonly unique: UniqueRule | null;
  /** What every answer warns of; null = the version is not deprecated. */
  readonly deprecation: string | null;
  /** A finalizer that every deletion sets, whose work the control plane does; null = none. */
  readonly finalizer: string | null;
  /**
   * An object as this version of the kind shows it; the kept object itself where that is the same.
   */
  readonly present: (object: StoredObject) => StoredObject;
  /**
   * What reading an object fills in before anything is decided: the writer owns these fields, too.
   * Idempotent.
   */
  readonly defaults: (object: StoredObject) => StoredObject;
  /**
   * Fills in what the server decides; `previous` null = create. Runs after `defaults`, before
   * `check`.
   */
  readonly admit: (
    object: StoredObject,
    previous: StoredObject | null,
    context: AdmitContext,
  ) => StoredObject;
  /** Rules beyond the schema; `previous` null = create. Empty = valid. */
  readonly check: (object: StoredObject, previous: StoredObject | null) => readonly FieldError[];
}

/** The defaults of a kind; kinds are spread over them. */
export const PLAIN_KIND: Omit<ServedKind, "ref" | "kept" | "singular" | "schema" | "columns"> = {
  shortNames: [],
  categories: [],
  hasStatus: false,
  createsStatus: false,
  deletionShows: "status",
  listKind: null,
  custom: false,
  generation: "none",
  unconditionalUpdate: true,
  nameRule: "subdomain",
  selectable: {},
  unique: null,
  deprecation: null,
  finalizer: null,
  present: (object) => object,
  defaults: (object) => object,
  admit: (object) => object,
  check: () => [],
};

/**
 * The served kinds by each of their names. The list may be replaced at any time: definitions come
 * and go.
 */
export class KindLookup {
  #kinds: readonly ServedKind[];

  constructor(kinds: readonly ServedKind[]) {
    this.#kinds = kinds;
  }

  /** All kinds; a custom kind once for each of its versions. */
  get kinds(): readonly ServedKind[] {
    return this.#kinds;
  }

  /** All kinds that are kept once, whatever the number of their versions. */
  get distinct(): readonly ServedKind[] {
    return this.#kinds.filter(
      (kind) => kind.kept === kind.ref && this.byText(kindText(kind.ref)) === kind,
    );
  }

  /** From now on these kinds are served. */
  replace(kinds: readonly ServedKind[]): void {
    this.#kinds = kinds;
  }

  /** By `group/version` (`version` for core) and plural. */
  byPath(apiVersion: string, plural: string): ServedKind | null {
    const isAsked = ({ ref }: ServedKind) =>
      ref.plural === plural && apiVersionOf(ref) === apiVersion;
    return this.#kinds.find(isAsked) ?? null;
  }

  /** By `plural.group` (`plural` for core); of several versions of a kind the last one. */
  byText(text: string): ServedKind | null {
    return this.#kinds.findLast(({ ref }) => kindText(ref) === text) ?? null;
  }

  /** By the apiVersion and kind of an object. */
  byType(apiVersion: string, kind: string): ServedKind | null {
    const isAsked = ({ ref }: ServedKind) => ref.kind === kind && apiVersionOf(ref) === apiVersion;
    return this.#kinds.find(isAsked) ?? null;
  }
}
