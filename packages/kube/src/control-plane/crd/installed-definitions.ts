/**
 * The definitions that a control plane is given, as ordinary objects of the store. They can be
 * changed and deleted like others; at start those that are missing are put back, and those that an
 * older program has installed are brought up to date.
 */

import { CUSTOM_RESOURCE_DEFINITION } from "../../objects/kinds.ts";
import type { KubeObject } from "../../objects/kubernetes.ts";
import { contentHash } from "../json/content-hash.ts";
import { decodeObject } from "../objects/decode.ts";
import type { StoredObject } from "../objects/served-kind.ts";
import type { ObjectStorage } from "../storage/object-storage.ts";
import type { ObjectWriter } from "../storage/object-writer.ts";
import { DEFINITION_KIND } from "./definition-kind.ts";

/**
 * Says which edition of a definition was installed, so that what a user changes stays until the
 * program has a new one.
 */
const EDITION = "zonekeeper.dev/definition-edition";

/** Installs it where it is missing or old. */
export async function installDefinition(
  definition: KubeObject,
  { storage, writer }: { readonly storage: ObjectStorage; readonly writer: ObjectWriter },
): Promise<void> {
  const { name } = definition.metadata;
  const edition = contentHash(JSON.stringify(definition));
  const { object } = decodeObject(DEFINITION_KIND, definition, "Strict");
  const current = storage.get(CUSTOM_RESOURCE_DEFINITION, "", name);
  const target = { kind: DEFINITION_KIND, namespace: "", name, dryRun: false };
  if (current === null) {
    await writer.create(target, withEdition(object, edition));
    return;
  }
  const isPresent = current.metadata.annotations?.[EDITION] === edition;
  if (isPresent || current.metadata.deletionTimestamp !== undefined) return;
  await writer.change({
    ...target,
    part: "main",
    apply: ({ metadata }) => {
      // What others have annotated stays.
      const annotations = { ...metadata.annotations, ...object.metadata.annotations };
      return withEdition({ ...object, metadata: { ...metadata, annotations } }, edition);
    },
  });
}

function withEdition(object: StoredObject, edition: string): StoredObject {
  const annotations = { ...object.metadata.annotations, [EDITION]: edition };
  return { ...object, metadata: { ...object.metadata, annotations } };
}
