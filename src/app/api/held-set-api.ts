/**
 * The routes for held sets, the large removals that the fuse holds for a person (Z-16): show a set,
 * approve it, or have its deleted objects created again (`GET` shows, `POST` does).
 */
import { BoundedMap } from "@zonekeeper/base/bounded-map";
import { timeText } from "@zonekeeper/base/time-text";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { RestoredObject } from "../../controllers/objects/restore-objects.ts";
import { resourceOf } from "../../model/provenance.ts";
import type { HeldSetStatus } from "../../sync/contract/zone-status.ts";
import type { HeldRecord } from "../../sync/report/held-records.ts";
import type { Instance } from "../compose/instance.ts";
import { answer } from "./documents.ts";
import { OPEN_NAMES_HEADER, Refused } from "./exchange.ts";
import type { HeldSetDocument, HeldSetRecord } from "./page/page-documents.ts";
import { dataIn, heldOpOf } from "./plan/document.ts";
import type { CallerBehind } from "./readers/caller.ts";
import { dateText, heldSetRows } from "./zones-api.ts";

interface Asked {
  readonly Params: { readonly hash: string };
  /** For an approval: how many removals the person saw and typed. */
  readonly Querystring: { readonly count?: string };
}

/** Records of a set that are shown. */
const RECORDS_SHOWN = 5_000;
type AskedRequest = FastifyRequest<Asked>;

/** Approvals that are remembered, so that a second one gets an answer of its own. */
const APPROVALS_KEPT = 100;

/**
 * Adds `/held-sets/HASH`, `/approve/HASH` and `/restore/HASH`; the caller guards them. In a command
 * a person has typed the hash; the page also sends the number of changes that a person typed.
 */
export function addHeldSetApi(api: FastifyInstance, callerBehind: CallerBehind): void {
  const approvedAt = new BoundedMap<string, string>(APPROVALS_KEPT);
  api.get<Asked>("/api/v1/held-sets/:hash", async (request, reply) => {
    const { hash } = request.params;
    const { instance } = callerBehind(request);
    return answer(reply, heldSetIn(instance, hash) ?? nothingTo("approve", hash, instance));
  });
  api.post<Asked>("/api/v1/approve/:hash", async (request, reply) => {
    const { hash } = request.params;
    const { instance, session } = callerBehind(request);
    const isCounted = request.query.count !== undefined || session !== null;
    const set = isCounted ? heldSetIn(instance, hash) : null;
    if (set !== null) refuseOtherCount(set, request.query.count);
    const isKnown = !isCounted || set !== null;
    const zones = isKnown ? (await instance.work.approve(hash)).map(({ zone }) => zone) : [];
    if (zones.length > 0) {
      approvedAt.set(hash, timeText(Date.now()));
      return answer(reply, { schema: "zonekeeper.dev/approval/v1", approved: hash, zones });
    }
    const at = approvedAt.get(hash);
    if (at === undefined) return nothingTo("approve", hash, instance);
    const message = `the set ${hash} was approved at ${at} already; nothing more is done`;
    throw new Refused({ status: 409, code: "AlreadyApproved", message });
  });
  const restore = async (request: AskedRequest, reply: FastifyReply, isDoing: boolean) => {
    const { hash } = request.params;
    const { instance } = callerBehind(request);
    const objects =
      (await instance.work.restore(hash, isDoing)) ?? nothingTo("restore", hash, instance);
    const open = objects.filter(isDoing ? isUndone : ({ state }) => state === "restore");
    const document = { schema: "zonekeeper.dev/restore/v1", hash, objects } as const;
    return answer(reply, document, { [OPEN_NAMES_HEADER]: open.length });
  };
  const path = "/api/v1/restore/:hash";
  api.get<Asked>(path, (request, reply) => restore(request, reply, false));
  api.post<Asked>(path, (request, reply) => restore(request, reply, true));
}

/** Refuses the command: no held set has this hash. */
function nothingTo(command: "approve" | "restore", hash: string, { work }: Instance): never {
  const heldSets = work.zones().flatMap((zone) => zone.heldSets);
  throw new Refused({
    status: 404,
    code: command === "approve" ? "NothingToApprove" : "NothingToRestore",
    message: noSuchSet(command, hash, heldSets),
  });
}

/** Null = no zone holds such a set. */
function heldSetIn(instance: Instance, hash: string): HeldSetDocument | null {
  const sets = heldSetRows(instance.work.zones(), instance.commandName ?? "zonekeeper");
  const found = sets.find((set) => set.hash === hash);
  if (found === undefined) return null;
  const { command: _, ...set } = found;
  const records = instance.work.heldRecords(hash).map(heldSetRecord);
  return {
    schema: "zonekeeper.dev/held-set/v1",
    now: new Date().toISOString(),
    ...set,
    count: set.removals > 0 ? set.removals : set.changes,
    records: records.slice(0, RECORDS_SHOWN),
    omitted: Math.max(0, records.length - RECORDS_SHOWN),
  };
}

function heldSetRecord({ zone, name, type, ...rest }: HeldRecord): HeldSetRecord {
  const {
    setIdentifier,
    marker,
    hold,
    sinceMs,
    edit: { editor = null, deletedAtMs = null } = {},
  } = rest;
  const wanted = hold?.provenance ?? null;
  return {
    ...{ zone, name, type, setIdentifier },
    op: hold === null ? "unknown" : (heldOpOf(hold) ?? "unknown"),
    ...dataIn(hold?.change ?? null),
    object: wanted === null ? (marker?.resource ?? "") : resourceOf(wanted),
    proof: hold?.proof ?? null,
    ...{ since: dateText(sinceMs), editor, deletedAt: dateText(deletedAtMs) },
  };
}

/** Refuses an approval whose typed number is not that of the set now. */
function refuseOtherCount(
  { count, removals, changes, hash }: HeldSetDocument,
  typed: string | undefined,
): void {
  if (typed === String(count)) return;
  const what = removals > 0 ? `${removals} removals` : `${changes} changes`;
  const message = `the set ${hash} has ${what} now${typed === undefined ? "" : `, and ${typed} was typed`}; look at them again, and type their number`;
  throw new Refused({ status: 409, code: "CountDiffers", message });
}

/**
 * True = the object was to be created and is not. Services and Ingresses (no manifest) never are.
 */
function isUndone({ state, manifest }: RestoredObject): boolean {
  return state === "failed" || (state === "apply" && manifest !== null);
}

/** Why `command` does nothing: no held set has this hash. */
export function noSuchSet(
  command: "approve" | "restore",
  hash: string,
  sets: readonly HeldSetStatus[],
): string {
  const grown = sets.find(({ formerHashes = [] }) => formerHashes.includes(hash));
  if (grown !== undefined)
    return `the set ${hash} has other changes meanwhile and is ${grown.hash} now (${grown.changes} changes); read it with zonekeeper plan, then: zonekeeper ${command} ${grown.hash}`;
  const now = sets.map((set) => `${set.hash} (${set.changes} changes)`).join(", ");
  return `no zone holds a set ${hash}; zonekeeper plan shows what is held and its hash${now === "" ? "" : `, now ${now}: a hash changes while its set grows`}`;
}
