/**
 * Records an Event on each object whose class annotation holds a text that cannot be a class: no
 * process serves it, so no other one would tell its author. Covers kinds that have no source; a
 * source reports the same of its own objects.
 */
import type { KindRef } from "@zonekeeper/kube/objects/kubernetes";
import type { ClusterView } from "@zonekeeper/kube/ports/cluster-view";
import type { EventRecorder } from "@zonekeeper/kube/ports/cluster-writer";
import { CLASS_ANNOTATION, impossibleClass } from "../../model/dns-class.ts";

/** The kinds to look at in one cluster. */
export interface ClassedKinds {
  readonly view: ClusterView;
  readonly recorder: EventRecorder;
  readonly kinds: readonly KindRef[];
}

/** Answers how to stop. */
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
