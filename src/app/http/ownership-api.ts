/**
 * The part of the local API that tells whose records are and takes a person's orders about it: GET shows what would be
 * done, POST orders it and waits a while for it. What is done, zone actors do, with exact preconditions.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { type DnsName, parseDnsName } from "../../model/dns-name.ts";
import { type RecordSetKey, recordSetKeyText } from "../../model/record-set.ts";
import type { RightsRow, ZoneRights } from "../../sync/contract.ts";
import { toAscii } from "../ports/idna.ts";
import { OPEN_NAMES_HEADER } from "./api-headers.ts";
import type { Instance } from "./instance.ts";
import {
  chooseRights,
  isCarriedOut,
  type RightsChoice,
  type RightsCommand,
  type RightsVerb,
} from "./rights-choice.ts";
import { previewText, type RightsResult, resultText, rightsText } from "./rights-text.ts";

/** Names in one command; more are a mistake. */
const NAMES_MAX = 1000;
/** How long a POST waits for what it ordered. */
const PATIENCE_MS = 7000;
const LOOK_MS = 100;

interface Asked {
  readonly Querystring: {
    readonly name?: string | readonly string[];
    readonly from?: string;
    readonly to?: string;
  };
  readonly Params: { readonly verb: string };
}

/** Adds the routes to an API that asks for the token already. */
export function addOwnershipApi(api: FastifyInstance, instance: Instance): void {
  api.get<Asked>("/api/v1/ownership", async (request, reply) =>
    sendRights(instance, request, reply),
  );
  api.get<Asked>("/api/v1/ownership/:verb", async (request, reply) => {
    const command = commandOf(request);
    if (command === null) return reply.code(400).send(BAD_COMMAND);
    return sendPreview(chooseRights(instance.rights(null), command), { command, request, reply });
  });
  api.post<Asked>("/api/v1/ownership/:verb", async (request, reply) => {
    const command = commandOf(request);
    if (command === null) return reply.code(400).send(BAD_COMMAND);
    const results = await carryOut(instance, command);
    reply.header(OPEN_NAMES_HEADER, results.filter(({ isDone }) => !isDone).length);
    return wantsText(request)
      ? reply.type("text/plain; charset=utf-8").send(resultText(results))
      : reply.send({ results });
  });
}

const BAD_COMMAND = {
  code: "InvalidOption",
  message: `transfer needs --from and --to, adopt and release need names, at most ${NAMES_MAX} and each a DNS name`,
};

function commandOf({ params, query }: FastifyRequest<Asked>): RightsCommand | null {
  const verb = VERBS.find((one) => one === params.verb);
  const names = namesOf(query.name);
  if (verb === undefined || names === "bad") return null;
  const { from = null, to = null } = query;
  if (verb === "transfer" ? from === null || to === null : names === null) return null;
  return { verb, from, to, names };
}

const VERBS: readonly RightsVerb[] = ["transfer", "adopt", "release"];

/** Null = none were given. */
function namesOf(given: Asked["Querystring"]["name"]): ReadonlySet<DnsName> | null | "bad" {
  const texts = given === undefined ? [] : typeof given === "string" ? [given] : given;
  if (texts.length === 0) return null;
  const parsed = texts.map((text) => parseDnsName(toAscii(text) ?? text));
  const names = parsed.flatMap((one) => (one.ok ? [one.value] : []));
  return names.length === texts.length && names.length <= NAMES_MAX ? new Set(names) : "bad";
}

function sendRights(
  instance: Instance,
  request: FastifyRequest<Asked>,
  reply: FastifyReply,
): FastifyReply {
  const names = namesOf(request.query.name);
  if (names === "bad") return reply.code(400).send(BAD_COMMAND);
  const [only = null] = names ?? [];
  const rights = instance.rights(only).map((zone) => ({
    ...zone,
    rows: request.query.from === "nobody" ? zone.rows.filter(isOrphan) : zone.rows,
  }));
  reply.header(
    OPEN_NAMES_HEADER,
    rights.reduce((count, { rows }) => count + rows.length, 0),
  );
  return wantsText(request)
    ? reply.type("text/plain; charset=utf-8").send(rightsText(rights))
    : reply.send({ zones: rights });
}

/** Ours and wanted by nobody here, or a marker or a permit without a record. */
function isOrphan({ whose, wantedBy, values }: RightsRow): boolean {
  return (whose === "ours" && wantedBy === null) || values === null;
}

interface Reply {
  readonly command: RightsCommand;
  readonly request: FastifyRequest<Asked>;
  readonly reply: FastifyReply;
}

function sendPreview(
  choices: readonly RightsChoice[],
  { command, request, reply }: Reply,
): FastifyReply {
  reply.header(OPEN_NAMES_HEADER, choices.filter(({ order }) => order !== null).length);
  return wantsText(request)
    ? reply.type("text/plain; charset=utf-8").send(previewText(choices, command))
    : reply.send({ choices });
}

async function carryOut(
  instance: Instance,
  command: RightsCommand,
): Promise<readonly RightsResult[]> {
  const rights = instance.rights(null);
  const choices = chooseRights(rights, command).filter(({ order }) => order !== null);
  const taken = new Set(
    rights
      .filter(({ key }) => instance.order(key, requestsFor(choices, key)))
      .map(({ key }) => key),
  );
  const until = performance.now() + PATIENCE_MS;
  for (;;) {
    const now = rowsByKey(rightsAt(instance, choices));
    const isDone = ({ zone, row }: RightsChoice) =>
      isCarriedOut(command, now.get(rowText(zone.zone, row)));
    if (choices.every(isDone) || performance.now() >= until)
      return choices.map((choice) => ({
        choice,
        isDone: isDone(choice),
        reason: isDone(choice) ? "" : whyNot(instance, choice, taken.size > 0),
      }));
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}

/** Few names are looked at one by one, many with everything else. */
function rightsAt(instance: Instance, choices: readonly RightsChoice[]): readonly ZoneRights[] {
  const names = new Set(choices.map(({ row }) => row.name));
  if (names.size > FEW_NAMES) return instance.rights(null);
  return [...names].flatMap((name) => instance.rights(name));
}

const FEW_NAMES = 100;

function requestsFor(choices: readonly RightsChoice[], key: RightsChoice["zone"]) {
  return choices.flatMap(({ zone, row, order }) => {
    if (order === null || zone.zone !== key.zone || zone.account !== key.account) return [];
    const { name, type, setIdentifier } = row;
    return [{ key: { name, type, setIdentifier }, order }];
  });
}

function rowsByKey(rights: readonly ZoneRights[]): ReadonlyMap<string, RightsRow> {
  return new Map(
    rights.flatMap(({ key, rows }) => rows.map((row) => [rowText(key.zone, row), row] as const)),
  );
}

function rowText(zone: string, key: RecordSetKey): string {
  return `${zone} ${recordSetKeyText(key)}`;
}

function whyNot(instance: Instance, { row }: RightsChoice, isTaken: boolean): string {
  if (!isTaken) return "too many orders at once; name fewer records";
  const holds = instance.explain(row.name).flatMap((zone) => zone.holds);
  const failures = instance.explain(row.name).flatMap((zone) => zone.lastOutcome ?? []);
  return (
    holds[0]?.message ?? failures[0] ?? "not yet; zonekeeper ownership show tells how it stands"
  );
}

function wantsText(request: { readonly headers: FastifyRequest["headers"] }): boolean {
  return (request.headers.accept ?? "").includes("text/plain");
}
