/** Kinds whose objects can list a name, with the classes that are read. */
import type { ListedKind } from "../controllers/zone-choice/listing-objects.ts";
import type { ControllersOptions } from "./controllers-options.ts";
import { zoneSourcesOf } from "./source-clusters.ts";

type SharedOptions = Omit<ControllersOptions, "engine" | "live">;

/** Kinds whose objects can list a name. */
export function listedKinds(options: SharedOptions): readonly ListedKind[] {
  const { target, entrySource, dnsClasses, sourceClasses } = options;
  const direct = zoneSourcesOf(options).map(([{ view }, source]) => ({
    ...{ view, source, dnsClasses: sourceClasses },
  }));
  const entries = { view: target.view, source: entrySource, dnsClasses };
  return [entries, ...direct, ...entryKinds(options)];
}

/** Kinds that entries are made from. */
function entryKinds(options: SharedOptions): readonly ListedKind[] {
  const { sourceClusters, entrySources, sourceClasses: dnsClasses } = options;
  return sourceClusters.flatMap(({ view }) =>
    entrySources.map((source) => ({ view, source, dnsClasses })),
  );
}
