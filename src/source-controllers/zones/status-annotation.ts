/**
 * Writes an annotation that says what is wrong with an object that is published directly, for kinds
 * without a status for it. Where the right to write is missing, no annotation is written, and one
 * log line says so. Objects of other classes are left to other processes. A text that somebody
 * changed after our last write stays until ours changes: two installations that publish one object
 * do not write for ever.
 */
import { OperationError } from "@zonekeeper/base/operation-error";
import type { Log } from "@zonekeeper/base/ports/log";
import { type KindRef, type KubeObject, refOf, uidOf } from "@zonekeeper/kube/objects/kubernetes";
import { namespacedName } from "@zonekeeper/kube/objects/object-fields";
import type { ClusterWriter } from "@zonekeeper/kube/ports/cluster-writer";
import { STATUS_ANNOTATION } from "../../model/annotation-keys.ts";
import { type DnsClasses, isOfClass } from "../../model/dns-class.ts";

/** Everything that it is written with. */
export interface StatusAnnotationPorts {
  readonly writer: Pick<ClusterWriter, "patch">;
  readonly log: Log;
  /** Classes of the objects that are published here. */
  readonly dnsClasses: DnsClasses;
}

/** For the objects of one kind. */
export class StatusAnnotation {
  readonly #ports: StatusAnnotationPorts;
  readonly #kind: KindRef;
  /** The last text that was written to each object; null = no annotation. */
  readonly #written = new Map<string, string | null>();
  #isForbidden = false;

  constructor(ports: StatusAnnotationPorts, kind: KindRef) {
    this.#ports = ports;
    this.#kind = kind;
  }

  /**
   * True = nothing is to be written: the object has the line (null = no annotation), or it may not
   * be written. A text from before our first write counts as ours; later our own memory decides,
   * since the cache may lag behind.
   */
  isWritten(object: KubeObject, line: string | null): boolean {
    if (this.#isForbidden || !isOfClass(object, this.#ports.dnsClasses)) return true;
    const { annotations = {} } = object.metadata;
    const key = namespacedName(object);
    const isAsBefore = (annotations[STATUS_ANNOTATION] ?? null) === line;
    if (isAsBefore && !this.#written.has(key)) this.#written.set(key, line);
    return this.#written.get(key) === line;
  }

  /** The object is gone. */
  forget(object: KubeObject): void {
    this.#written.delete(namespacedName(object));
  }

  /** Writes only what differs; throws as the writer does. */
  async write(object: KubeObject, line: string | null): Promise<void> {
    if (this.isWritten(object, line)) return;
    const metadata = { ...uidOf(object), annotations: { [STATUS_ANNOTATION]: line } };
    try {
      await this.#ports.writer.patch(refOf(this.#kind, object), { metadata });
      this.#written.set(namespacedName(object), line);
    } catch (error) {
      if (!(error instanceof OperationError) || error.code !== "Forbidden") throw error;
      this.#isForbidden = true;
      this.#ports.log.warn("the state of objects is not written to an annotation: not allowed", {
        kind: this.#kind.plural,
        remedy: "allow patch, or start with --omit-status-annotation",
      });
    }
  }
}
