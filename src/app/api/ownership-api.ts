/**
 * The routes for the ownership of records: who owns what, and a person's orders to transfer, adopt,
 * release or remove. GET shows what would be done. POST orders what was shown, if it is still the
 * same, and waits a while for it. Zone actors do it, with exact preconditions.
 */
import { type DnsName, parseDnsName } from "@zonekeeper/dns/names/dns-name";
import { isFields, textsOf } from "@zonekeeper/kube/objects/object-fields";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { OwnershipRow, ZoneOwnership } from "../../sync/contract/ownership-rows.ts";
import type { Instance } from "../compose/instance.ts";
import { blindSpots } from "./blind-spots.ts";
import { carryOut } from "./carry-out.ts";
import { answer } from "./documents.ts";
import {
  OPEN_NAMES_HEADER,
  REFUSED_HEADER,
  Refused,
  SHOWN_HEADER,
  UNKNOWN_ZONES_HEADER,
} from "./exchange.ts";
import type { CallerBehind } from "./readers/caller.ts";
import {
  chooseRights,
  type RightsChoice,
  type RightsCommand,
  type RightsVerb,
} from "./rights-choice.ts";
import { ShownAnswers, type ShownState, shownRights } from "./shown-rights.ts";

/** Names in one command; more are a mistake. */
const NAMES_MAX = 1000;

interface Asked {
  readonly Querystring: {
    readonly name?: string | readonly string[];
    readonly from?: string;
    readonly to?: string;
  };
  readonly Params: { readonly verb: string };
  /** `{"names": [...]}`, or nothing. */
  readonly Body: unknown;
}

type AskedRequest = FastifyRequest<Asked>;

/** Adds the routes to an API that asks for the token already. */
export function addOwnershipApi(api: FastifyInstance, callerBehind: CallerBehind): void {
  const shown = new ShownAnswers(() => performance.now());
  api.get<Asked>("/api/v1/ownership", async (request, reply) =>
    sendRights(callerBehind(request).instance, request, reply),
  );
  const send = async (request: AskedRequest, reply: FastifyReply, isDoing: boolean) => {
    const { instance } = callerBehind(request);
    const chosen = await choicesFor(instance, request);
    const { command, choices, blind } = chosen;
    const state = shown.previewOf(isDoing, ...shownRights(command, choices));
    if (state !== null) return sendPreview(chosen, state, reply);
    const results = await carryOut(instance, command, choices);
    const refused = choices.filter(({ isRefused }) => isRefused);
    const missing = missingIn(command, choices);
    return answer(
      reply,
      {
        schema: "zonekeeper.dev/ownership-order/v1",
        ...{ results, refused, missing, unknown: blind },
      },
      {
        [OPEN_NAMES_HEADER]: results.filter(({ isDone }) => !isDone).length,
        [REFUSED_HEADER]: refused.length + missing.length,
        [UNKNOWN_ZONES_HEADER]: blind.length,
      },
    );
  };
  // Names may be too many for a URL: the two below take them in the body.
  api.get<Asked>("/api/v1/ownership/:verb", (request, reply) => send(request, reply, false));
  api.post<Asked>("/api/v1/ownership/:verb", (request, reply) => send(request, reply, true));
  api.post<Asked>("/api/v1/ownership/:verb/look", (request, reply) => send(request, reply, false));
  api.post<Asked>("/api/v1/ownership/:verb/order", (request, reply) => send(request, reply, true));
}

/** A command, and what it means now. */
interface Chosen {
  readonly command: RightsCommand;
  readonly choices: readonly RightsChoice[];
  /** There is one line for each thing that is not known. */
  readonly blind: readonly string[];
}

async function choicesFor(instance: Instance, request: AskedRequest): Promise<Chosen> {
  const command = commandOf(request);
  const rights = await instance.work.rights(command.names);
  refuseOtherOwner(command, rights);
  const blind = blindSpots(rights, command.names, instance.work.troubles(null));
  return { command, choices: chooseRights(rights, command), blind };
}

/** Refuses a command that names an owner id that this instance does not act for. */
function refuseOtherOwner({ verb, from, to }: RightsCommand, rights: readonly ZoneOwnership[]) {
  const owners = [...new Set(rights.flatMap((zone) => zone.owners))];
  const [option, own] = verb === "adopt" ? ["from", from] : ["to", to];
  if (own === null || owners.length === 0 || owners.includes(own)) return;
  const remedy =
    verb === "adopt"
      ? "Records of another owner are taken by zonekeeper transfer"
      : `Ask the instance that acts for ${JSON.stringify(own)}, or correct the owner id`;
  throw invalid(
    `--${option} ${JSON.stringify(own)}: this instance acts for ${owners.join(", ")}. ${remedy}`,
  );
}

/** The refusal of a command as a whole; the message names the argument. */
function invalid(message: string): Refused {
  return new Refused({ status: 400, code: "InvalidOption", message });
}

function commandOf({ params, query, body }: AskedRequest): RightsCommand {
  const verb = VERBS.find((one) => one === params.verb);
  if (verb === undefined)
    throw invalid(`${JSON.stringify(params.verb)} is none of ${VERBS.join(", ")}`);
  const names = namesOf(query.name, body);
  const { from = null, to = null } = query;
  if (verb === "transfer") {
    for (const option of ["from", "to"] as const)
      if (!query[option])
        throw invalid(`transfer: --${option} names no owner; give the owner id of the markers`);
    return { verb, from, to, names };
  }
  const orphansOf = verb === "adopt" ? from || null : null;
  if (names === null && orphansOf === null)
    throw invalid(`${verb} needs names: which records it is about`);
  return { verb, from: orphansOf, to: null, names };
}

const VERBS: readonly RightsVerb[] = ["transfer", "adopt", "release", "remove"];

/** The names of the request; null = none were given. */
function namesOf(
  given: Asked["Querystring"]["name"] = [],
  body: unknown = null,
): ReadonlySet<DnsName> | null {
  // Null = not understood: that must not mean "all names".
  const more =
    body === null ? [] : isFields(body) && "names" in body ? textsOf(body["names"]) : null;
  if (more === null) throw invalid('the body is not understood; {"names": [...]} would be');
  const texts = [...(typeof given === "string" ? [given] : given), ...more];
  if (texts.length === 0) return null;
  if (texts.length > NAMES_MAX)
    throw invalid(`${texts.length} names in one command; at most ${NAMES_MAX} are taken`);
  const names = new Set<DnsName>();
  for (const text of texts) {
    const name = parseDnsName(text);
    if (!name.ok) throw invalid(`the name ${JSON.stringify(text)} is no DNS name: ${name.error}`);
    names.add(name.value);
  }
  return names;
}

async function sendRights(
  instance: Instance,
  request: AskedRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const names = namesOf(request.query.name);
  const orphansOnly = request.query.from === "nobody";
  const all = await instance.work.rights(names);
  const unknown = blindSpots(all, names, instance.work.troubles(null));
  // With `from=nobody`, only orphans are listed: those that `remove` and `adopt` take.
  const isListed = ({ orphan }: OwnershipRow): boolean => !orphansOnly || orphan !== undefined;
  const zones = all.map((zone) => ({ ...zone, rows: zone.rows.filter(isListed) }));
  return answer(
    reply,
    { schema: "zonekeeper.dev/ownership/v1", zones, orphansOnly, unknown },
    {
      [OPEN_NAMES_HEADER]: zones.reduce((count, { rows }) => count + rows.length, 0),
      [UNKNOWN_ZONES_HEADER]: unknown.length,
    },
  );
}

/** Names to adopt that have no record. */
function missingIn(
  { verb, names }: RightsCommand,
  choices: readonly RightsChoice[],
): readonly DnsName[] {
  if (verb !== "adopt") return [];
  const found = new Set(choices.map(({ row }) => row.name));
  return [...(names ?? [])].filter((name) => !found.has(name));
}

/** `shown`: why an order was not taken; `same` = only a preview was asked for. */
function sendPreview(
  { command, choices, blind }: Chosen,
  shown: ShownState,
  reply: FastifyReply,
): FastifyReply {
  const { verb, from, to } = command;
  const missing = missingIn(command, choices);
  const refused = choices.filter(({ isRefused }) => isRefused);
  return answer(
    reply,
    {
      schema: "zonekeeper.dev/ownership-preview/v1",
      ...{ verb, from, to, choices, missing, unknown: blind, shown },
    },
    {
      [OPEN_NAMES_HEADER]: choices.filter(({ order }) => order !== null).length,
      [REFUSED_HEADER]: refused.length + missing.length,
      [UNKNOWN_ZONES_HEADER]: blind.length,
      [SHOWN_HEADER]: shown === "same" ? null : shown,
    },
  );
}
