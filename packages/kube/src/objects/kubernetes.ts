/**
 * The part of Kubernetes objects that every kind shares. Fields of a kind are parsed where they are
 * read.
 */

/** `metadata` of an object (Kubernetes API conventions, "Metadata"). */
export interface ObjectMeta {
  readonly name: string;
  /** Absent for cluster-scoped kinds. */
  readonly namespace?: string;
  readonly uid?: string;
  /** Opaque; equality only, save in the embedded server that made it. */
  readonly resourceVersion?: string;
  readonly generation?: number;
  /** RFC 3339, second precision. */
  readonly creationTimestamp?: string;
  /** Set = the object is being deleted and waits for its finalizers. */
  readonly deletionTimestamp?: string;
  /** Undefined also where they are not kept (`sources/kept-fields.ts`). */
  readonly labels?: Readonly<Record<string, string>> | undefined;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly finalizers?: readonly string[];
  readonly ownerReferences?: readonly OwnerReference[];
  /**
   * Field manager of the last write of annotations, or of anything but status and metadata.
   * Undefined = `managedFields` show none.
   */
  readonly editor?: string | undefined;
  /** Managers of fields of the spec, kept of `managedFields` for kinds with `keepsSpecManagers`. */
  readonly specManagers?: readonly string[] | undefined;
}

/** A reference to an owner in the same namespace; the garbage collector follows it. */
export interface OwnerReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly controller?: boolean;
  readonly blockOwnerDeletion?: boolean;
}

/** Any object of the Kubernetes API. Beyond these fields nothing is known; parse, never cast. */
export interface KubeObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ObjectMeta;
  readonly [field: string]: unknown;
}

/** A kind as the API serves it. */
export interface KindRef {
  /** Empty for core. */
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  /** Lower-case plural in URLs. */
  readonly plural: string;
  readonly namespaced: boolean;
  /** The watch cache keeps of its objects who has written the spec. */
  readonly keepsSpecManagers?: true;
}

/** An object, as readers and writers name it; the namespace of a cluster-scoped one is empty. */
export function refOf(kind: KindRef, { metadata }: Pick<KubeObject, "metadata">) {
  return { kind, namespace: metadata.namespace ?? "", name: metadata.name };
}

/** The uid, which a write compares: an object that was created again has another one. */
export function uidOf({ metadata: { uid } }: KubeObject): Pick<ObjectMeta, "uid"> {
  return uid === undefined ? {} : { uid };
}

/** The version as it was read, which a write compares: a changed object has another one. */
export function versionOf({ metadata }: KubeObject): Pick<ObjectMeta, "resourceVersion"> {
  const { resourceVersion } = metadata;
  return resourceVersion === undefined ? {} : { resourceVersion };
}

/** `group/version`, or `version` for core. */
export function apiVersionOf(kind: KindRef): string {
  return kind.group === "" ? kind.version : `${kind.group}/${kind.version}`;
}

/**
 * A string that is equal for equal kinds whatever their version: `services`,
 * `dnsentries.dns.gardener.cloud`.
 */
export function kindText(kind: KindRef): string {
  return kind.group === "" ? kind.plural : `${kind.plural}.${kind.group}`;
}

/** Our name in `metadata.managedFields`. */
export const FIELD_MANAGER = "zonekeeper";
