/**
 * Objects of a further class of this process become objects of its main class: another process may
 * have served them before. What they say and have published stays.
 */
import {
  CLASS_ANNOTATION,
  classAnnotations,
  classOf,
  type DnsClasses,
  finalizersOf,
} from "../../model/dns-class.ts";
import type { KindRef, KubeObject } from "../../model/kubernetes.ts";
import { OperationError } from "../../model/operation-error.ts";
import type { ClusterWriter } from "../../ports/cluster-writer.ts";
import { changedFinalizers, hasFinalizer } from "./finalizers.ts";

/** Whose objects, of which kind, and how they are written. */
export interface MainClassPorts {
  readonly writer: Pick<ClusterWriter, "patch">;
  readonly kind: KindRef;
  readonly classes: DnsClasses;
}

/**
 * True = the object was just taken into the main class, or has changed meanwhile: the watch brings
 * it again. One that is being deleted stays as it is; its finalizer counts as ours. Throws as the
 * writer does.
 */
export async function joinsMainClass(
  { writer, kind, classes }: MainClassPorts,
  object: KubeObject,
): Promise<boolean> {
  if (!isOfOthers(object, classes)) return false;
  const { name, namespace = "", resourceVersion } = object.metadata;
  const finalizers = finalizersOf(classes);
  const changed = hasFinalizer(object, finalizers)
    ? changedFinalizers({ object, finalizers, to: "add" })
    : null;
  const annotations = { [CLASS_ANNOTATION]: null, ...classAnnotations(classes[0]) };
  const version = resourceVersion === undefined ? {} : { resourceVersion };
  const metadata = { ...version, annotations, ...(changed && { finalizers: changed }) };
  try {
    await writer.patch({ kind, namespace, name }, { metadata });
  } catch (error) {
    if (!(error instanceof OperationError) || error.code !== "Conflict") throw error;
  }
  return true;
}

function isOfOthers(object: KubeObject, [main, ...others]: DnsClasses): boolean {
  const dnsClass = classOf(object);
  const isDeleting = object.metadata.deletionTimestamp !== undefined;
  return dnsClass !== main && others.includes(dnsClass) && !isDeleting;
}
