/**
 * The route to undo changes of zones (ADR 0122): GET shows what would be undone; POST does it, if
 * all is as it was shown, and waits a while for it. Names are paused first, so that their objects
 * do not write the same change again at once. Zone actors do it, with exact preconditions.
 */
import { createHash } from "node:crypto";
import { messageOf, OperationError } from "@zonekeeper/base/operation-error";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { UndoChoice, UndoQuery } from "../../sync/contract/ownership-rows.ts";
import type { Work } from "../compose/instance.ts";
import { carryOutUndo, type UndoResult } from "./carry-out.ts";
import { answer, type UndoDocument } from "./documents.ts";
import {
  askedName,
  invalidQuery,
  OPEN_NAMES_HEADER,
  REFUSED_HEADER,
  Refused,
  SHOWN_HEADER,
  UNKNOWN_ZONES_HEADER,
} from "./exchange.ts";
import type { CallerBehind } from "./readers/caller.ts";
import { ShownAnswers, type ShownState } from "./shown-rights.ts";

/** `ago`: milliseconds; one of `name`, `hash` and `ago` is given. */
interface Query {
  readonly zone?: string;
  readonly name?: string;
  readonly hash?: string;
  readonly ago?: string;
}

type Asked = { readonly Querystring: Query };
type AskedRequest = FastifyRequest<Asked>;

const PATH = "/api/v1/undo";

/** Adds both routes. */
export function addUndoApi(api: FastifyInstance, callerBehind: CallerBehind): void {
  const shown = new ShownAnswers(() => performance.now());
  const send = async (request: AskedRequest, reply: FastifyReply, isDoing: boolean) => {
    const asked = request.query;
    const query = queryOf(asked);
    const { instance, key } = callerBehind(request);
    const { choices, troubles } = await instance.work.undo(query);
    const { zone, name, hash, ago } = asked;
    const question = JSON.stringify([key, zone, name, hash, ago]);
    const preview = shown.previewOf(isDoing, question, digestOf(choices));
    if (preview !== null) {
      const results = choices.map((choice): UndoResult => {
        const { order, isSo } = choice;
        return { choice, state: order !== null ? "would" : isSo ? "same" : "left", reason: "" };
      });
      return sendResults(reply, { results, shown: preview, isDone: false, unknown: troubles });
    }
    await pauseNames(instance.work.pauses, choices);
    const results = await carryOutUndo(instance, choices);
    return sendResults(reply, { results, shown: "same", isDone: true, unknown: troubles });
  };
  api.get<Asked>(PATH, (request, reply) => send(request, reply, false));
  api.post<Asked>(PATH, (request, reply) => send(request, reply, true));
}

function queryOf({ zone, name, hash, ago }: Query): UndoQuery {
  const names = { zone: askedName("zone", zone), name: askedName("name", name) };
  if (name === undefined && hash === undefined && ago === undefined)
    throw invalidQuery("give one of name, hash and ago: which changes are to be undone");
  if (ago !== undefined && !/^\d{1,12}$/.test(ago))
    throw invalidQuery(`ago: ${ago} is no number of milliseconds`);
  const sinceMs = ago === undefined ? null : Date.now() - Number(ago);
  return { ...names, hash: hash ?? null, sinceMs };
}

/** Hash over the orders; empty = nothing is ordered. */
function digestOf(choices: readonly UndoChoice[]): string {
  const orders = choices.flatMap(({ apex, order }) => (order === null ? [] : [[apex, order]]));
  if (orders.length === 0) return "";
  return createHash("sha256").update(JSON.stringify(orders)).digest("base64");
}

/** Pauses the names before anything is ordered; refuses the undo where it cannot. */
async function pauseNames(pauses: Work["pauses"], choices: readonly UndoChoice[]): Promise<void> {
  const ordered = choices.filter(({ order }) => order !== null);
  if (ordered.length === 0) return;
  if (pauses === null)
    throw notPaused("this instance keeps no pauses, so objects would write again at once");
  const names = [...new Set(ordered.map(({ key }) => key.name))];
  try {
    await pauses.pause(...names.map((name) => `name ${name}` as const));
  } catch (error) {
    if (!(error instanceof OperationError)) throw error;
    throw notPaused(
      `nothing is undone, since the pauses of the names could not be stored: ${messageOf(error)}`,
    );
  }
}

function notPaused(message: string): Refused {
  return new Refused({ status: 503, code: "PausesNotKept", message });
}

interface Outcome extends Pick<UndoDocument, "isDone" | "unknown"> {
  readonly results: readonly UndoResult[];
  readonly shown: ShownState;
}

function sendResults(reply: FastifyReply, { results, shown, ...rest }: Outcome): FastifyReply {
  const changes = results.map(({ choice, state, reason }) => {
    const { apex, key, from, to, again } = choice;
    return { zone: apex, ...key, from, to, state, reason: reason || choice.reason, again };
  });
  const count = (...states: readonly UndoResult["state"][]): number =>
    changes.filter(({ state }) => states.includes(state)).length;
  return answer(
    reply,
    { schema: "zonekeeper.dev/undo/v1", changes, shown, ...rest },
    {
      [OPEN_NAMES_HEADER]: count("would", "open"),
      [REFUSED_HEADER]: count("left"),
      [UNKNOWN_ZONES_HEADER]: rest.unknown.length,
      [SHOWN_HEADER]: shown === "same" ? null : shown,
    },
  );
}
