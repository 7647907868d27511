/** `owner take` over HTTP (SAFETY Z-17): GET tells what would be written, POST writes it. */

import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { messageOf, OperationError } from "../../model/operation-error.ts";
import { printable } from "../../model/printable.ts";
import type { FenceTaking } from "../../sync/contract.ts";
import type { Instance } from "./instance.ts";

interface TakeRequest {
  readonly Querystring: { readonly from?: string };
}

const PATH = "/api/v1/owner/take";

/** Adds both; the caller guards them. */
export function addOwnerTake(api: FastifyInstance, instance: Instance): void {
  api.get<TakeRequest>(PATH, (request, reply) => send(instance, { request, reply, dryRun: true }));
  api.post<TakeRequest>(PATH, (request, reply) =>
    send(instance, { request, reply, dryRun: false }),
  );
}

interface Taking {
  readonly request: FastifyRequest<TakeRequest>;
  readonly reply: FastifyReply;
  readonly dryRun: boolean;
}

async function send(instance: Instance, { request, reply, dryRun }: Taking): Promise<FastifyReply> {
  const { from = "" } = request.query;
  const zones = await takings(instance, from, dryRun);
  if (zones instanceof OperationError)
    return reply.code(502).send({ code: zones.code, message: messageOf(zones) });
  if (zones.length === 0) return reply.code(404).send(nothing(from));
  const isText = (request.headers.accept ?? "").includes("text/plain");
  return isText
    ? reply.type("text/plain; charset=utf-8").send(takingText(zones, dryRun))
    : reply.send({ from, dryRun, zones });
}

/** What failed is told to whoever asked. */
async function takings(
  instance: Instance,
  from: string,
  dryRun: boolean,
): Promise<readonly FenceTaking[] | OperationError> {
  try {
    return await instance.takeOwner(from, dryRun);
  } catch (error) {
    if (error instanceof OperationError) return error;
    throw error;
  }
}

function nothing(from: string): { readonly code: string; readonly message: string } {
  return {
    code: "NothingToTake",
    message: `in no zone of this instance the installation "${from}" has our owner id; zonekeeper plan names it where it does, and only the instance that leads can tell`,
  };
}

/** One block for each zone; a closing newline. */
export function takingText(zones: readonly FenceTaking[], dryRun: boolean): string {
  const blocks = zones.map(
    ({ zone, now, next }) =>
      `zone ${zone}\n  fence now:  ${printable(now)}\n  ${dryRun ? "would be:" : "is:      "}  ${printable(next)}`,
  );
  const end = dryRun
    ? "Nothing was written. Make sure that the other installation is stopped or has another --owner, then repeat with --yes."
    : "Taken. The other installation writes nothing in these zones any more; this one goes on.";
  return `${blocks.join("\n")}\n${end}\n`;
}
