/**
 * The questions and orders of people (HTTP API, page, commands) that the engine answers, as methods
 * of `Work`. Orders on ownership are logged before the engine gets them.
 */
import type { Log } from "@zonekeeper/base/ports/log";
import type { ListedKind } from "../../controllers/zone-choice/listing-objects.ts";
import { namedElsewhere } from "../../controllers/zone-choice/named-elsewhere.ts";
import type { OwnershipOrder } from "../../sync/contract/ownership-rows.ts";
import type { ZoneKey } from "../../sync/contract/zone.ts";
import type { Engine } from "../../sync/engine.ts";
import type { ComposeOptions } from "./controllers-options.ts";
import type { Work } from "./instance.ts";
import type { RefusedWrites } from "./refused-writes.ts";

interface Asked {
  readonly engine: Engine;
  /** Kinds whose objects can list a name. */
  readonly kinds: readonly ListedKind[];
  readonly refused: RefusedWrites;
}

export function asksOf({ publish, ports }: ComposeOptions, { engine, kinds, refused }: Asked) {
  const { externalDns: rules, policy } = publish;
  return {
    rights: (names) => engine.ownership(names),
    dialectOf: (zone) => (rules === undefined || !engine.isOpen(zone) ? null : { rules, policy }),
    zones: () => engine.status(),
    explain: (name) => engine.explain(name),
    names: (query) => engine.names(query),
    objectsAt: (name) => engine.objectsAt(name),
    history: (query) => engine.history(query),
    onChange: (listener) => engine.views.onChange(listener),
    undo: (query) => engine.undo(query),
    migrate: (request) => engine.migrate(request),
    takeOwner: (from, dryRun) => engine.takeOwner(from, dryRun),
    whoLists: (...asked) => refused.listing(kinds, asked, ports.clock),
    // With external-dns's options its annotations are read; what its filters leave out is not
    // meant.
    namedElsewhere: (asked) => namedElsewhere(rules === undefined ? kinds : [], asked, ports.clock),
    order: (key, requests) => engine.order(key, logOrders(ports.log, key, requests)),
  } satisfies Partial<Work>;
}

/** Logs the orders, and answers them unchanged. */
function logOrders(
  log: Log,
  { zone }: ZoneKey,
  requests: readonly OwnershipOrder[],
): readonly OwnershipOrder[] {
  for (const { key, order } of requests)
    log.info("rights ordered by a person", {
      zone,
      ...key,
      order: order.is,
      ...(order.is === "adopt" ? { values: order.values.join(",") } : {}),
    });
  return requests;
}
