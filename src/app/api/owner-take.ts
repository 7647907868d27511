/** `owner take` over HTTP (Z-17): GET tells what would be written, POST writes it. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { printable } from "../../model/printable.ts";
import type { FenceTaking } from "../../sync/contract/fence-status.ts";
import type { Instance } from "../compose/instance.ts";
import { answer } from "./answer.ts";
import { OPEN_NAMES_HEADER, SHOWN_HEADER, UNKNOWN_ZONES_HEADER } from "./api-headers.ts";
import { carryOut } from "./carry-out.ts";
import { chooseRights, type RightsChoice, type RightsCommand } from "./rights-choice.ts";
import { previewText, resultText, shownText } from "./rights-text.ts";
import { ShownRights } from "./shown-rights.ts";

interface TakeRequest {
  readonly Querystring: { readonly from?: string };
}

const PATH = "/api/v1/owner/take";

/** Adds both; the caller guards them. */
export function addOwnerTake(api: FastifyInstance, instance: Instance): void {
  const shown = new ShownRights(() => performance.now());
  const asked = (request: FastifyRequest<TakeRequest>, reply: FastifyReply, dryRun: boolean) =>
    send({ instance, shown }, request, reply, dryRun);
  api.get<TakeRequest>(PATH, (request, reply) => asked(request, reply, true));
  api.post<TakeRequest>(PATH, (request, reply) => asked(request, reply, false));
}

interface TakeContext {
  readonly instance: Instance;
  readonly shown: ShownRights;
}

/** Orphans in the zones pass to the objects here that want them, in the state that was shown. */
async function send(
  { instance, shown }: TakeContext,
  request: FastifyRequest<TakeRequest>,
  reply: FastifyReply,
  dryRun: boolean,
): Promise<FastifyReply> {
  const { from = "" } = request.query;
  const would = await instance.takeOwner(from, true);
  if (would.length === 0) return reply.code(404).send(nothing(from));
  const { command, choices } = await recordsIn(instance, would);
  const state = dryRun ? "same" : shown.use(command, choices);
  if (dryRun || state !== "same") {
    shown.show(command, choices);
    const preview = choices.length === 0 ? "" : previewText(choices, command);
    return answer({
      request,
      reply,
      text: () => `${takingText(would, true, preview)}${shownText(state)}`,
      json: { from, dryRun, zones: would, records: choices },
      headers: { ...countOf(would), [SHOWN_HEADER]: state === "same" ? null : state },
    });
  }
  const zones = await instance.takeOwner(from, false);
  const results = choices.length === 0 ? [] : await carryOut(instance, command, choices);
  const open = results.filter(({ isDone }) => !isDone).length;
  return answer({
    request,
    reply,
    text: () => `${takingText(zones, false)}${results.length === 0 ? "" : resultText(results)}`,
    json: { from, dryRun, zones, records: results },
    headers: { ...countOf(zones), [OPEN_NAMES_HEADER]: open },
  });
}

function countOf(zones: readonly FenceTaking[]) {
  return { [UNKNOWN_ZONES_HEADER]: zones.filter((zone) => "trouble" in zone).length };
}

/** What is done about records beside the fences. */
async function recordsIn(
  instance: Instance,
  takings: readonly FenceTaking[],
): Promise<{ readonly command: RightsCommand; readonly choices: readonly RightsChoice[] }> {
  const apexes = new Set(takings.flatMap((one) => ("next" in one ? [one.zone] : [])));
  const rights = (await instance.rights(null)).filter(({ zone }) => apexes.has(zone.name));
  const choices = rights
    .flatMap((zone) => zone.owners.flatMap((owner) => chooseRights([zone], passing(owner))))
    .filter(({ row, order }) => row.orphan !== undefined && order !== null);
  return { command: passing(null), choices };
}

/** From and to one owner id; null = each one that this installation acts for. */
function passing(owner: string | null): RightsCommand {
  return { verb: "transfer", from: owner, to: owner, names: null };
}

function nothing(from: string): { readonly code: string; readonly message: string } {
  return {
    code: "NothingToTake",
    message: `no zone of this instance is held by the installation "${from}". zonekeeper plan names the installation that holds a zone. Ask the instance that leads`,
  };
}

/** One block for each zone, then `records`, which is empty or ends a line; a closing newline. */
function takingText(zones: readonly FenceTaking[], dryRun: boolean, records = ""): string {
  const blocks = zones.map((taking) => `${zoneText(taking, dryRun)}\n`);
  const failed = zones.filter((zone) => "trouble" in zone).length;
  const end = endLines(zones.length, failed, dryRun).join("\n");
  return `${blocks.join("")}${records}${end}\n`;
}

function zoneText(taking: FenceTaking, dryRun: boolean): string {
  if ("trouble" in taking) {
    const what = dryRun ? "cannot be read" : "not taken";
    return `zone ${taking.zone}\n  ${what}: ${printable(taking.trouble)}`;
  }
  const { zone, now, next } = taking;
  return `zone ${zone}\n  fence now:  ${printable(now)}\n  ${dryRun ? "would be:" : "is:      "}  ${printable(next)}`;
}

function endLines(all: number, failed: number, dryRun: boolean): readonly string[] {
  if (failed === 0) return [dryRun ? LOOKED : TAKEN];
  const rest = `${failed} of ${all} zones could not be ${dryRun ? "read" : "taken"}. Repeat the command when they can be reached.`;
  if (failed === all) return [rest];
  return [dryRun ? LOOKED : TAKEN.replace("these zones", "the zones that were taken"), rest];
}

const LOOKED =
  "Nothing was written. Make sure that the other installation is stopped or has another --owner, then repeat with --yes.";
const TAKEN = "Taken. The other installation no longer writes to these zones; this one does.";
