/** Restoring deleted objects over the local API: `GET` shows, `POST` does. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { stringify } from "yaml";
import type { RestoredObject } from "../../controllers/objects/restore-objects.ts";
import { printable } from "../../model/printable.ts";
import type { Instance } from "../compose/instance.ts";
import { answer } from "./answer.ts";
import { OPEN_NAMES_HEADER } from "./api-headers.ts";
import { noSuchSet } from "./no-such-set.ts";

interface Asked {
  readonly Params: { readonly hash: string };
}

/** `/api/v1/restore/HASH`, for an API that asks for the token already. */
export function addRestoreApi(api: FastifyInstance, instance: Instance): void {
  const path = "/api/v1/restore/:hash";
  api.get<Asked>(path, (request, reply) => send(instance, request, reply, false));
  api.post<Asked>(path, (request, reply) => send(instance, request, reply, true));
}

async function send(
  instance: Instance,
  request: FastifyRequest<Asked>,
  reply: FastifyReply,
  isDoing: boolean,
): Promise<FastifyReply> {
  const { hash } = request.params;
  const objects = await instance.restore(hash, isDoing);
  if (objects === null) {
    const sets = instance.zones().flatMap(({ heldSets }) => heldSets);
    const message = noSuchSet("restore", hash, sets);
    return reply.code(404).send({ code: "NothingToRestore", message });
  }
  const open = objects.filter(isDoing ? isUndone : ({ state }) => state === "restore");
  return answer({
    request,
    reply,
    text: () => restoreText(hash, objects),
    json: { hash, objects },
    headers: { [OPEN_NAMES_HEADER]: open.length },
  });
}

/** Services and Ingresses are never created: that they are not is no trouble. */
function isUndone({ state, manifest }: RestoredObject): boolean {
  return state === "failed" || (state === "apply" && manifest !== null);
}

const STATES: Readonly<Record<RestoredObject["state"], string>> = {
  restore: "would be created again",
  restored: "created again",
  left: "left",
  apply: "not created",
  failed: "not created",
  "outside-set": "not of this set",
};

const OUTSIDE_SET = "Deleted within the hour as well, and not of this set; restore leaves it away:";

/** One line for each object, then manifests that a person may apply; a closing newline. */
export function restoreText(hash: string, objects: readonly RestoredObject[]): string {
  if (objects.length === 0)
    return `No deleted object of the set ${printable(hash)} is known: manifests are kept for a day, by the instance that saw the deletion.\n`;
  const isOutsideSet = ({ state }: RestoredObject): boolean => state === "outside-set";
  const set = objects.filter((one) => !isOutsideSet(one));
  const others = objects.filter(isOutsideSet);
  const isShown = objects.some(({ state }) => state === "restore");
  const lines = [
    ...set.map(lineOf),
    ...(isShown ? [`zonekeeper restore ${printable(hash)} --yes does it.`] : []),
    ...(others.length > 0 ? ["", OUTSIDE_SET, ...others.map(lineOf)] : []),
    ...manifestLines(objects),
  ];
  return `${lines.join("\n")}\n`;
}

function lineOf({ object, state, message }: RestoredObject): string {
  return printable(`${object}: ${STATES[state]}${message === "" ? "" : `: ${message}`}`);
}

function manifestLines(objects: readonly RestoredObject[]): readonly string[] {
  const manifests = objects.flatMap(({ state, manifest }) =>
    (state === "apply" || state === "outside-set") && manifest !== null
      ? [`---\n${stringify(manifest).trimEnd()}`]
      : [],
  );
  return manifests.length === 0 ? [] : ["", "For kubectl apply -f -:", ...manifests];
}
