/**
 * Puts a control plane together on a store: storage, writer, kinds, and the default objects of a
 * new store.
 */

import { invariant } from "@zonekeeper/base/invariant";
import type { Clock } from "@zonekeeper/base/ports/clock";
import type { Random } from "@zonekeeper/base/ports/random";
import type { Store } from "@zonekeeper/base/ports/store";
import { NAMESPACE } from "../objects/kinds.ts";
import type { KubeObject } from "../objects/kubernetes.ts";
import { DEFINITION_KIND } from "./crd/definition-kind.ts";
import { installDefinition } from "./crd/installed-definitions.ts";
import { BUILT_IN_KINDS } from "./kinds/index.ts";
import { KindLookup, type ServedKind } from "./objects/served-kind.ts";
import { ObjectStorage } from "./storage/object-storage.ts";
import { FIXED_NAMESPACES, ObjectWriter } from "./storage/object-writer.ts";

/** What everything else is made with. */
export interface Components {
  readonly storage: ObjectStorage;
  readonly writer: ObjectWriter;
  /** The kinds that are served; those of definitions are added by `CustomKinds`. */
  readonly kinds: KindLookup;
  /** The kinds that are always there. */
  readonly builtIn: readonly ServedKind[];
}

/**
 * Loads the store; makes the default namespaces and definitions. Rejects with OperationError
 * `StoreCorrupt`.
 */
export async function openComponents(options: {
  readonly store: Store;
  readonly clock: Clock;
  readonly random: Random;
  readonly definitions: readonly KubeObject[];
}): Promise<Components> {
  const builtIn = [...BUILT_IN_KINDS, DEFINITION_KIND];
  const refs = builtIn.map((kind) => kind.kept);
  const storage = ObjectStorage.open({ store: options.store, kinds: refs });
  const writer = new ObjectWriter({ ...options, storage, kinds: builtIn });
  await Promise.all([
    ...FIXED_NAMESPACES.map((name) => makeNamespace(storage, writer, name)),
    ...options.definitions.map((one) => installDefinition(one, { storage, writer })),
  ]);
  return { storage, writer, kinds: new KindLookup(builtIn), builtIn };
}

/** Idempotent: on every start but the first it finds the namespace. */
async function makeNamespace(
  storage: ObjectStorage,
  writer: ObjectWriter,
  name: string,
): Promise<void> {
  if (storage.get(NAMESPACE, "", name) !== null) return;
  const kind = BUILT_IN_KINDS.find((each) => each.ref === NAMESPACE);
  invariant(kind !== undefined, "Namespace is not served");
  const object = { apiVersion: "v1", kind: "Namespace", metadata: { name } };
  await writer.create({ kind, namespace: "", name, dryRun: false }, object);
}
