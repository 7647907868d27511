/** `owner take` over HTTP (Z-17): GET tells what would be written, POST writes it. */

import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { printable } from "../../model/printable.ts";
import type { FenceTaking } from "../../sync/contract/fence-status.ts";
import { UNKNOWN_ZONES_HEADER } from "./api-headers.ts";
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
  const zones = await instance.takeOwner(from, dryRun);
  if (zones.length === 0) return reply.code(404).send(nothing(from));
  reply.header(UNKNOWN_ZONES_HEADER, zones.filter((zone) => "trouble" in zone).length);
  const isText = (request.headers.accept ?? "").includes("text/plain");
  return isText
    ? reply.type("text/plain; charset=utf-8").send(takingText(zones, dryRun))
    : reply.send({ from, dryRun, zones });
}

function nothing(from: string): { readonly code: string; readonly message: string } {
  return {
    code: "NothingToTake",
    message: `no zone of this instance is held by the installation "${from}". zonekeeper plan names the installation that holds a zone. Ask the instance that leads`,
  };
}

/** One block for each zone; a closing newline. */
export function takingText(zones: readonly FenceTaking[], dryRun: boolean): string {
  const blocks = zones.map((taking) => zoneText(taking, dryRun));
  const failed = zones.filter((zone) => "trouble" in zone).length;
  return `${[...blocks, ...endLines({ all: zones.length, failed, dryRun })].join("\n")}\n`;
}

function zoneText(taking: FenceTaking, dryRun: boolean): string {
  if ("trouble" in taking) {
    const what = dryRun ? "cannot be read" : "not taken";
    return `zone ${taking.zone}\n  ${what}: ${printable(taking.trouble)}`;
  }
  const { zone, now, next } = taking;
  return `zone ${zone}\n  fence now:  ${printable(now)}\n  ${dryRun ? "would be:" : "is:      "}  ${printable(next)}`;
}

interface Counts {
  readonly all: number;
  readonly failed: number;
  readonly dryRun: boolean;
}

function endLines({ all, failed, dryRun }: Counts): readonly string[] {
  if (failed === 0) return [dryRun ? LOOKED : TAKEN];
  const rest = `${failed} of ${all} zones could not be ${dryRun ? "read" : "taken"}. Repeat the command when they can be reached.`;
  if (failed === all) return [rest];
  return [dryRun ? LOOKED : TAKEN.replace("these zones", "the zones that were taken"), rest];
}

const LOOKED =
  "Nothing was written. Make sure that the other installation is stopped or has another --owner, then repeat with --yes.";
const TAKEN = "Taken. The other installation no longer writes to these zones; this one does.";
