/**
 * The part of the local API that tells whose records are and takes a person's orders about it: GET shows what would be
 * done, POST orders what was shown, if it is still so, and waits a while for it. What is done, zone actors do, with exact
 * preconditions.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { type DnsName, parseDnsName } from "../../model/dns-name.ts";
import type { RightsRow } from "../../sync/contract.ts";
import { toAscii } from "../ports/idna.ts";
import { OPEN_NAMES_HEADER, SHOWN_HEADER } from "./api-headers.ts";
import { carryOut } from "./carry-out.ts";
import type { Instance } from "./instance.ts";
import {
  chooseRights,
  type RightsChoice,
  type RightsCommand,
  type RightsVerb,
} from "./rights-choice.ts";
import { NO_ORPHANS, previewText, resultText, rightsText, shownText } from "./rights-text.ts";
import { ShownRights, type ShownState } from "./shown-rights.ts";

/** Names in one command; more are a mistake. */
const NAMES_MAX = 1000;

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
  const shown = new ShownRights(() => performance.now());
  api.get<Asked>("/api/v1/ownership", async (request, reply) =>
    sendRights(instance, request, reply),
  );
  api.get<Asked>("/api/v1/ownership/:verb", async (request, reply) => {
    const command = commandOf(request);
    if (command === null) return reply.code(400).send(BAD_COMMAND);
    const choices = chooseRights(instance.rights(null), command);
    shown.show(command, choices);
    return sendPreview(choices, { command, request, reply, state: "same" });
  });
  api.post<Asked>("/api/v1/ownership/:verb", async (request, reply) => {
    const command = commandOf(request);
    if (command === null) return reply.code(400).send(BAD_COMMAND);
    const choices = chooseRights(instance.rights(null), command);
    const state = shown.use(command, choices);
    if (state !== "same") {
      shown.show(command, choices);
      return sendPreview(choices, { command, request, reply, state });
    }
    const results = await carryOut(instance, command, choices);
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
  const isOrphans = request.query.from === "nobody";
  const rights = instance.rights(only).map((zone) => ({
    ...zone,
    rows: isOrphans ? zone.rows.filter(isOrphan) : zone.rows,
  }));
  reply.header(
    OPEN_NAMES_HEADER,
    rights.reduce((count, { rows }) => count + rows.length, 0),
  );
  return wantsText(request)
    ? reply
        .type("text/plain; charset=utf-8")
        .send(rightsText(rights, isOrphans ? NO_ORPHANS : undefined))
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
  /** Of an order that was not taken: why; `same` = only a look was asked for. */
  readonly state: ShownState;
}

function sendPreview(
  choices: readonly RightsChoice[],
  { command, request, reply, state }: Reply,
): FastifyReply {
  reply.header(OPEN_NAMES_HEADER, choices.filter(({ order }) => order !== null).length);
  if (state !== "same") reply.header(SHOWN_HEADER, state);
  return wantsText(request)
    ? reply
        .type("text/plain; charset=utf-8")
        .send(`${previewText(choices, command)}${shownText(state)}`)
    : reply.send({ choices, shown: state });
}

function wantsText(request: { readonly headers: FastifyRequest["headers"] }): boolean {
  return (request.headers.accept ?? "").includes("text/plain");
}
