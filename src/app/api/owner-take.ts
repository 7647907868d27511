/**
 * `owner take` over HTTP: takes the fences of our owner id over from another installation, one that
 * no longer runs, and then its orphaned records. A fence is the TXT record that says which
 * installation writes for an owner id (Z-17). GET shows what would be written; POST writes it if
 * that was shown.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { FenceTaking } from "../../sync/contract/fence-status.ts";
import type { Instance } from "../compose/instance.ts";
import { carryOut } from "./carry-out.ts";
import { answer } from "./documents.ts";
import { OPEN_NAMES_HEADER, Refused, SHOWN_HEADER, UNKNOWN_ZONES_HEADER } from "./exchange.ts";
import type { CallerBehind } from "./readers/caller.ts";
import { chooseRights, type RightsChoice, type RightsCommand } from "./rights-choice.ts";
import { ShownAnswers, shownRights } from "./shown-rights.ts";

interface Asked {
  readonly Querystring: { readonly from?: string };
}

type AskedRequest = FastifyRequest<Asked>;

const PATH = "/api/v1/owner/take";

/** Adds both routes; the caller guards them. */
export function addOwnerTake(api: FastifyInstance, callerBehind: CallerBehind): void {
  const shown = new ShownAnswers(() => performance.now());
  const send = async (request: AskedRequest, reply: FastifyReply, isDoing: boolean) => {
    const { instance } = callerBehind(request);
    const { from = "" } = request.query;
    const would = await instance.work.takeOwner(from, true);
    if (would.length === 0)
      throw new Refused({
        status: 404,
        code: "NothingToTake",
        message: `no zone of this instance is held by the installation "${from}". zonekeeper plan names the installation that holds a zone. Ask the instance that leads`,
      });
    const { command, choices } = await recordsIn(instance, would);
    const state = shown.previewOf(isDoing, ...shownRights(command, choices));
    if (state !== null) {
      const preview = { from, zones: would, records: choices, shown: state };
      return answer(
        reply,
        { schema: "zonekeeper.dev/owner-take-preview/v1", ...preview },
        { ...countOf(would), [SHOWN_HEADER]: state === "same" ? null : state },
      );
    }
    const zones = await instance.work.takeOwner(from, false);
    const records = choices.length === 0 ? [] : await carryOut(instance, command, choices);
    const open = records.filter(({ isDone }) => !isDone).length;
    return answer(
      reply,
      { schema: "zonekeeper.dev/owner-take/v1", from, zones, records },
      { ...countOf(zones), [OPEN_NAMES_HEADER]: open },
    );
  };
  api.get<Asked>(PATH, (request, reply) => send(request, reply, false));
  api.post<Asked>(PATH, (request, reply) => send(request, reply, true));
}

function countOf(zones: readonly FenceTaking[]) {
  return { [UNKNOWN_ZONES_HEADER]: zones.filter((zone) => "trouble" in zone).length };
}

/**
 * Records in these zones that no object of their own wants (orphans) and that objects here want.
 */
async function recordsIn(
  instance: Instance,
  takings: readonly FenceTaking[],
): Promise<{ readonly command: RightsCommand; readonly choices: readonly RightsChoice[] }> {
  const apexes = new Set(takings.flatMap((one) => ("next" in one ? [one.zone] : [])));
  const rights = (await instance.work.rights(null)).filter(({ zone }) => apexes.has(zone.name));
  const choices = rights
    .flatMap((zone) => zone.owners.flatMap((owner) => chooseRights([zone], passing(owner))))
    .filter(({ row, order }) => row.orphan !== undefined && order !== null);
  return { command: passing(null), choices };
}

/**
 * The command that gives orphans of this owner id to objects here; null = of each of our owner ids.
 */
function passing(owner: string | null): RightsCommand {
  return { verb: "transfer", from: owner, to: owner, names: null };
}
