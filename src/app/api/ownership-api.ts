/**
 * The routes for the ownership of records: who owns what, and a person's orders to transfer, adopt,
 * release or remove. GET shows what would be done. POST orders what was shown, if it is still the
 * same, and waits a while for it. Zone actors do it, with exact preconditions.
 */
import { fail, ok, type Result } from "@zonekeeper/base/result";
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
  SHOWN_HEADER,
  UNKNOWN_ZONES_HEADER,
} from "./exchange.ts";
import type { InstanceOf } from "./readers/caller.ts";
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
export function addOwnershipApi(api: FastifyInstance, instanceOf: InstanceOf): void {
  const shown = new ShownAnswers(() => performance.now());
  api.get<Asked>("/api/v1/ownership", async (request, reply) =>
    sendRights(instanceOf(request), request, reply),
  );
  const preview = async (request: AskedRequest, reply: FastifyReply) => {
    const asked = await choicesFor(instanceOf(request), request);
    if (!asked.ok) return reply.code(400).send(asked.error);
    shown.show(...shownRights(asked.value.command, asked.value.choices));
    return sendPreview(asked.value, "same", reply);
  };
  const order = async (request: AskedRequest, reply: FastifyReply) => {
    const asked = await choicesFor(instanceOf(request), request);
    if (!asked.ok) return reply.code(400).send(asked.error);
    const { command, choices, blind } = asked.value;
    const answered = shownRights(command, choices);
    const state = shown.use(...answered);
    if (state !== "same") {
      shown.show(...answered);
      return sendPreview(asked.value, state, reply);
    }
    const results = await carryOut(instanceOf(request), command, choices);
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
  api.get<Asked>("/api/v1/ownership/:verb", preview);
  api.post<Asked>("/api/v1/ownership/:verb", order);
  api.post<Asked>("/api/v1/ownership/:verb/look", preview);
  api.post<Asked>("/api/v1/ownership/:verb/order", order);
}

/** A command, and what it means now. */
interface Chosen {
  readonly command: RightsCommand;
  readonly choices: readonly RightsChoice[];
  /** There is one line for each thing that is not known. */
  readonly blind: readonly string[];
}

/** Why a command is refused as a whole. */
interface Refusal {
  readonly code: "InvalidOption";
  /** Names the argument. */
  readonly message: string;
}

async function choicesFor(
  instance: Instance,
  request: AskedRequest,
): Promise<Result<Chosen, Refusal>> {
  const read = commandOf(request);
  if (!read.ok) return read;
  const command = read.value;
  const rights = await instance.work.rights(command.names);
  const unknownName = unknownNameIn(command, rights);
  if (unknownName !== null) return unknownName;
  const blind = blindSpots(rights, command.names, instance.work.troubles(null));
  return ok({ command, choices: chooseRights(rights, command), blind });
}

/**
 * The refusal where the command names an owner id that this instance does not act for; null = it
 * does.
 */
function unknownNameIn({ verb, from, to }: RightsCommand, rights: readonly ZoneOwnership[]) {
  const owners = [...new Set(rights.flatMap((zone) => zone.owners))];
  const [option, own] = verb === "adopt" ? ["from", from] : ["to", to];
  if (own === null || owners.length === 0 || owners.includes(own)) return null;
  const remedy =
    verb === "adopt"
      ? "Records of another owner are taken by zonekeeper transfer"
      : `Ask the instance that acts for ${JSON.stringify(own)}, or correct the owner id`;
  return refusal(
    `--${option} ${JSON.stringify(own)}: this instance acts for ${owners.join(", ")}. ${remedy}`,
  );
}

function refusal(message: string) {
  return fail<Refusal>({ code: "InvalidOption", message });
}

function commandOf({ params, query, body }: AskedRequest): Result<RightsCommand, Refusal> {
  const verb = VERBS.find((one) => one === params.verb);
  if (verb === undefined)
    return refusal(`${JSON.stringify(params.verb)} is none of ${VERBS.join(", ")}`);
  const names = namesOf(query.name, body);
  if (!names.ok) return names;
  const { from = null, to = null } = query;
  if (verb === "transfer") {
    for (const option of ["from", "to"] as const)
      if (!query[option])
        return refusal(`transfer: --${option} names no owner; give the owner id of the markers`);
    return ok({ verb, from, to, names: names.value });
  }
  const orphansOf = verb === "adopt" ? from || null : null;
  if (names.value === null && orphansOf === null)
    return refusal(`${verb} needs names: which records it is about`);
  return ok({ verb, from: orphansOf, to: null, names: names.value });
}

const VERBS: readonly RightsVerb[] = ["transfer", "adopt", "release", "remove"];

/** The names of the request; null = none were given. */
function namesOf(
  given: Asked["Querystring"]["name"] = [],
  body: unknown = null,
): Result<ReadonlySet<DnsName> | null, Refusal> {
  // Null = not understood: that must not mean "all names".
  const more =
    body === null ? [] : isFields(body) && "names" in body ? textsOf(body["names"]) : null;
  if (more === null) return refusal('the body is not understood; {"names": [...]} would be');
  const texts = [...(typeof given === "string" ? [given] : given), ...more];
  if (texts.length === 0) return ok(null);
  if (texts.length > NAMES_MAX)
    return refusal(`${texts.length} names in one command; at most ${NAMES_MAX} are taken`);
  const names = new Set<DnsName>();
  for (const text of texts) {
    const name = parseDnsName(text);
    if (!name.ok) return refusal(`the name ${JSON.stringify(text)} is no DNS name: ${name.error}`);
    names.add(name.value);
  }
  return ok(names);
}

async function sendRights(
  instance: Instance,
  request: AskedRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const names = namesOf(request.query.name);
  if (!names.ok) return reply.code(400).send(names.error);
  const orphansOnly = request.query.from === "nobody";
  const all = await instance.work.rights(names.value);
  const unknown = blindSpots(all, names.value, instance.work.troubles(null));
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
