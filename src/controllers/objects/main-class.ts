/**
 * Moves objects of the further classes that `--dns-class` lists into the first one, the main class:
 * the class annotation, and our finalizer where there is one, are changed; status and records stay.
 * Two processes whose lists contradict each other would move an object back and forth. So an object
 * that this process moved and another one moved out of the main class again is contested: it stays
 * with that one, and an Event says so. So does one where a class can be none.
 */
import { BoundedMap } from "@zonekeeper/base/bounded-map";
import { OperationError } from "@zonekeeper/base/operation-error";
import {
  type KindRef,
  type KubeObject,
  refOf,
  versionOf,
} from "@zonekeeper/kube/objects/kubernetes";
import type { ClusterView } from "@zonekeeper/kube/ports/cluster-view";
import type { ClusterWriter, EventRecorder } from "@zonekeeper/kube/ports/cluster-writer";
import { FORMER_CLASS_ANNOTATION } from "../../model/annotation-keys.ts";
import {
  CLASS_ANNOTATION,
  classAnnotations,
  classOf,
  type DnsClasses,
  finalizersOf,
  impossibleClass,
} from "../../model/dns-class.ts";
import { changedFinalizers, hasFinalizer } from "./finalizers.ts";

/** The kind whose objects are moved, the classes (main one first), and how objects are written. */
export interface MainClassPorts {
  readonly writer: Pick<ClusterWriter, "patch">;
  readonly recorder: EventRecorder;
  readonly kind: KindRef;
  readonly classes: DnsClasses;
}

/** Objects that are remembered as moved; the oldest is forgotten first. */
const TAKEN_MAX = 100_000;

/** For one kind, while the process runs. */
export class MainClass {
  readonly #ports: MainClassPorts;
  /** UIDs of objects that this process moved into the main class. */
  readonly #taken = new BoundedMap<string, true>(TAKEN_MAX);

  constructor(ports: MainClassPorts) {
    this.#ports = ports;
  }

  /** The classes of this process, as far as they count for this object. */
  classesFor(object: KubeObject): DnsClasses {
    const { classes } = this.#ports;
    // clause: contested-object-has-one-class
    return this.#isContested(object) ? [classes[0]] : classes;
  }

  /**
   * True = the object was just moved into the main class, or has changed meanwhile: the watch
   * brings it again. An object with a deletionTimestamp is not moved; the finalizer of each of our
   * classes counts as ours. Throws as the writer does.
   */
  async joins(object: KubeObject): Promise<boolean> {
    const { writer, kind, classes, recorder } = this.#ports;
    if (!isOfOthers(object, classes)) return false;
    if (this.#isContested(object)) {
      const [other, main] = [classOf(object), classes[0]];
      const message = `stays in class ${other}: this process takes objects of class ${other} into ${main}, and another one takes them back; give both the same first class in --dns-class`;
      recorder.record(object, { type: "Warning", reason: "ClassContested", message });
      return false;
    }
    const { uid } = object.metadata;
    const finalizers = finalizersOf(classes);
    const changed = hasFinalizer(object, finalizers)
      ? changedFinalizers({ object, finalizers, to: "add" })
      : null;
    const annotations = {
      [CLASS_ANNOTATION]: null,
      ...classAnnotations(classes[0]),
      [FORMER_CLASS_ANNOTATION]: classOf(object),
    };
    // clause: object-joins-with-finalizer
    const metadata = {
      /* clause: class-is-taken-as-read */ ...versionOf(object),
      annotations,
      ...(changed && { finalizers: changed }),
    };
    try {
      await writer.patch(refOf(kind, object), { metadata });
      if (uid !== undefined) this.#taken.set(uid, true);
    } catch (error) {
      if (
        !(error instanceof OperationError) ||
        /* clause: changed-object-is-read-again */ error.code !== "Conflict"
      )
        throw error;
    }
    return true;
  }

  /**
   * True = this process moved the object, and another process, which notes the class that it took
   * it from (`FORMER_CLASS_ANNOTATION`), moved it away. A person who edits the class alone leaves
   * no such note: then the object is moved again.
   */
  #isContested(object: KubeObject): boolean {
    const { classes } = this.#ports;
    const former = object.metadata.annotations?.[FORMER_CLASS_ANNOTATION];
    const wasTaken = this.#taken.has(object.metadata.uid ?? "");
    // clause: object-taken-back-stays
    return (
      /* clause: classes-may-change-order */ wasTaken &&
      /* clause: person-may-move-object-back */ former === classes[0] &&
      isOfOthers(object, classes)
    );
  }
}

function isOfOthers(object: KubeObject, [main, ...others]: DnsClasses): boolean {
  const dnsClass = classOf(object);
  const isDeleting = object.metadata.deletionTimestamp !== undefined;
  return (
    dnsClass !== main &&
    /* clause: only-further-classes-join */ others.includes(dnsClass) &&
    /* clause: deleted-object-joins-nothing */ !isDeleting
  );
}

/** The kinds to look at in one cluster. */
export interface ClassedKinds {
  readonly view: ClusterView;
  readonly recorder: EventRecorder;
  readonly kinds: readonly KindRef[];
}

/**
 * Records an Event on each object whose class annotation holds a text that cannot be a class: no
 * process serves it, so no other one would tell its author. Covers kinds that have no source; a
 * source reports the same of its own objects. Answers how to stop.
 */
export function reportImpossibleClasses(clusters: readonly ClassedKinds[]): () => void {
  const stops = clusters.flatMap(({ view, recorder, kinds }) =>
    kinds.map((kind) =>
      view.subscribe(kind, {
        onChange: ({ type, object }) => {
          const why = impossibleClass(object);
          if (why === null || type === "deleted") return;
          const message = `metadata.annotations[${CLASS_ANNOTATION}]: ${why}`;
          recorder.record(object, { type: "Warning", reason: "InvalidClass", message });
        },
        onState: () => undefined,
      }),
    ),
  );
  return () => {
    for (const stop of stops) stop();
  };
}
