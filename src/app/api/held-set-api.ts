/**
 * What a person decides about a held set over the local API (Z-16): approve it, or have its deleted
 * objects created again (`GET` shows, `POST` does).
 */
import type { FastifyInstance, FastifyReply } from "fastify";
import type { RestoredObject } from "../../controllers/objects/restore-objects.ts";
import type { HeldSetStatus } from "../../sync/contract/zone-status.ts";
import type { Instance } from "../compose/instance.ts";
import { OPEN_NAMES_HEADER } from "./api-headers.ts";
import { answer } from "./documents.ts";

interface Asked {
  readonly Params: { readonly hash: string };
}

/** Adds `/approve/HASH` and `/restore/HASH` to an API that asks for the token already. */
export function addHeldSetApi(api: FastifyInstance, instance: Instance): void {
  const heldSets = () => instance.work.zones().flatMap((zone) => zone.heldSets);
  api.post<Asked>("/api/v1/approve/:hash", async ({ params: { hash } }, reply) => {
    const zones = (await instance.work.approve(hash)).map(({ zone }) => zone);
    if (zones.length > 0)
      return answer(reply, { schema: "zonekeeper.dev/approval/v1", approved: hash, zones });
    const message = noSuchSet("approve", hash, heldSets());
    return reply.code(404).send({ code: "NothingToApprove", message });
  });
  const restore = async (hash: string, reply: FastifyReply, isDoing: boolean) => {
    const objects = await instance.work.restore(hash, isDoing);
    if (objects === null) {
      const message = noSuchSet("restore", hash, heldSets());
      return reply.code(404).send({ code: "NothingToRestore", message });
    }
    const open = objects.filter(isDoing ? isUndone : ({ state }) => state === "restore");
    const document = { schema: "zonekeeper.dev/restore/v1", hash, objects } as const;
    return answer(reply, document, { [OPEN_NAMES_HEADER]: open.length });
  };
  const path = "/api/v1/restore/:hash";
  api.get<Asked>(path, ({ params }, reply) => restore(params.hash, reply, false));
  api.post<Asked>(path, ({ params }, reply) => restore(params.hash, reply, true));
}

/** Services and Ingresses are never created: that they are not is no trouble. */
function isUndone({ state, manifest }: RestoredObject): boolean {
  return state === "failed" || (state === "apply" && manifest !== null);
}

/** Why `command` does nothing: no held set has this hash. */
export function noSuchSet(
  command: "approve" | "restore",
  hash: string,
  sets: readonly HeldSetStatus[],
): string {
  const grown = sets.find(({ formerHashes = [] }) => formerHashes.includes(hash));
  if (grown !== undefined)
    return `the set ${hash} has other changes meanwhile and is ${grown.hash} now (${grown.changes} changes); read it with zonekeeper plan, then: zonekeeper ${command} ${grown.hash}`;
  const now = sets.map((set) => `${set.hash} (${set.changes} changes)`).join(", ");
  return `no zone holds a set ${hash}; zonekeeper plan shows what is held and its hash${now === "" ? "" : `, now ${now}: a hash changes while its set grows`}`;
}
