/**
 * Derives lists of kinds from the program's options: kinds whose objects can list a name, and kinds
 * whose objects are in work queues. Finds the last editor of an object.
 */
import { FIELD_MANAGER } from "@zonekeeper/kube/objects/field-manager";
import { apiVersionOf } from "@zonekeeper/kube/objects/kubernetes";
import type { ListedKind } from "../../controllers/zone-choice/listing-objects.ts";
import { DNS_ENTRY, DNS_PROVIDER, markerKindOf } from "../../model/kinds.ts";
import type { ZoneChange } from "../../sync/contract/zone-change.ts";
import type { ZoneChangesOptions } from "../../sync/report/zone-changes.ts";
import type { ControllersOptions } from "./controllers-options.ts";
import type { QueuedKind } from "./refused-writes.ts";
import { zoneSourcesOf } from "./source-clusters.ts";

type SharedOptions = Omit<ControllersOptions, "engine" | "live" | "refused">;

/** The kinds whose objects can list a name, with the classes that are read. */
export function listedKinds(options: SharedOptions): readonly ListedKind[] {
  const { target, entrySource, dnsClasses, sourceClasses, sourceClusters, entrySources } = options;
  const direct = zoneSourcesOf(options).map(([{ view }, source]) => ({
    ...{ view, source, dnsClasses: sourceClasses },
  }));
  const entries = { view: target.view, source: entrySource, dnsClasses };
  const generating = sourceClusters.flatMap(({ view }) =>
    entrySources.map((source) => ({ view, source, dnsClasses: sourceClasses })),
  );
  const kinds = [entries, ...direct, ...generating];
  return kinds.map((kind) => ({ ...kind, kept: new WeakMap() }));
}

/** The field manager that has edited the object last; undefined = not known, or it is ours. */
export function editorOf(
  { object, cluster }: Pick<ZoneChange, "object" | "cluster">,
  kinds: readonly ListedKind[],
): string | undefined {
  const [kind = "", namespace = "", name = ""] = object.split("/");
  const of = kinds.find(
    ({ view, source }) => view.clusterId === cluster && markerKindOf(source.primary) === kind,
  );
  const found = of?.view.get(of.source.primary, namespace, name);
  const editor = found?.state === "value" ? found.value.metadata.editor : undefined;
  return editor === FIELD_MANAGER ? undefined : editor;
}

/**
 * Records external-dns's Event on the object of a removed record, also where the object is deleted.
 */
export function removedEvents(options: SharedOptions): Pick<ZoneChangesOptions, "onRemoved"> {
  const onRemoved = ({ object, cluster, name: dnsName, type }: ZoneChange): void => {
    const [kind = "", namespace = "", name = ""] = object.split("/");
    for (const [{ view, recorder }, { primary }] of zoneSourcesOf(options)) {
      const isThere = (cluster ?? view.clusterId) === view.clusterId;
      if (markerKindOf(primary) !== kind || !isThere) continue;
      const found = view.get(primary, namespace, name);
      const { kind: of } = primary;
      const gone = { apiVersion: apiVersionOf(primary), kind: of, metadata: { namespace, name } };
      const message = `removed: ${dnsName} ${type}`;
      const note = { type: "Normal", reason: "RecordDeleted", message } as const;
      if (found.state === "value") recorder.record(found.value, note);
      else if (cluster !== undefined) recorder.record(gone, note);
    }
  };
  return { onRemoved };
}

/** The kinds whose objects are in work queues, with the names of the queues. */
export function queuedKinds(options: SharedOptions): readonly QueuedKind[] {
  const { target, provider, sourceClusters, entrySources } = options;
  const direct = zoneSourcesOf(options).map(([cluster, { primary: kind }]) => ({
    ...{ ...cluster, kind, name: kind.kind.toLowerCase() },
  }));
  const made = sourceClusters.flatMap((cluster) =>
    entrySources.map(({ name, primary: kind }) => ({ ...cluster, kind, name })),
  );
  const own = [
    { ...target, kind: DNS_ENTRY, name: "dnsentry" },
    { ...provider, kind: DNS_PROVIDER, name: "dnsprovider" },
  ];
  return [...own, ...direct, ...made];
}
