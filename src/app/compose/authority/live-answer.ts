/**
 * Computes the condition Live of a name: whether all servers of its zone answer with what is
 * published, the provider's own server and those of the NS records at the apex. Where one refers to
 * a delegation, the servers of that delegation are asked in its place (RFC 1034 §4.3.2). First asks
 * the provider whether its servers have the change, then the servers, without recursion.
 */
import { messageOf } from "@zonekeeper/base/operation-error";
import { timeText } from "@zonekeeper/base/time-text";
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import type { Message } from "@zonekeeper/dns/wire/message/message";
import type { PublishConfig } from "../../../config/publish-options.ts";
import { environmentFor } from "../../../controllers/accounts/guarded-environment.ts";
import {
  type AskLive,
  type LiveAnswer,
  LiveChecks,
  type LiveReason,
  type LiveRequest,
} from "../../../controllers/objects/live-checks.ts";
import type { RecordSet } from "../../../model/record-set.ts";
import type { Propagation } from "../../../providers/provider.ts";
import type { NameExplanation, ZoneServer } from "../../../sync/contract/name-explanation.ts";
import type { Explainer } from "../../../sync/contract/publish-engine.ts";
import { zoneKeyText } from "../../../sync/contract/zone.ts";
import type { ControllersOptions } from "../controllers-options.ts";
import {
  type AskPorts,
  asking,
  question,
  type Target,
  targetsOf,
  troubleWith,
} from "./ask-servers.ts";

/** The answer of one server to one question, or why there is none. Never rejects. */
export type AskTarget = (
  target: Target,
  asked: { readonly name: DnsName; readonly type: string },
) => Promise<Message | string>;

/** Everything that the servers are asked with. */
export interface LiveContext {
  readonly explanation: Pick<NameExplanation, "endpoint" | "servers">;
  readonly ask: AskTarget;
  /** Resolves when one more query may be sent. */
  readonly take: () => Promise<void>;
  /** Unix milliseconds. */
  readonly nowMs: () => number;
}

/** Servers that are asked about one name; delegations that are followed one after the other. */
const SERVERS_MAX = 16;
const REFERRALS_MAX = 4;

/** True where each server answers with each record set. */
export async function liveAnswer(
  { sets: published, name }: Pick<LiveRequest, "sets" | "name">,
  context: LiveContext,
): Promise<LiveAnswer> {
  const sets = published.filter(isComparable);
  if (sets.length === 0) {
    const why = `${name}: its records are not what a server answers with; ask by hand`;
    return { status: "Unknown", reason: "NotComparable" satisfies LiveReason, message: why };
  }
  const walk: Walk = { ...context, sets, name, asked: new Map() };
  await askAll(walk, targetsOf(context.explanation), REFERRALS_MAX);
  const at = timeText(context.nowMs());
  const troubles = [...walk.asked].flatMap(([server, trouble]) =>
    trouble === null ? [] : [`${server}: ${trouble}`],
  );
  const count = walk.asked.size - troubles.length;
  const message = `${count} of ${walk.asked.size} servers answered with it at ${at}`;
  const text = `${name}: ${[message, ...troubles].join("; ")}`;
  const isLive = troubles.length === 0 && count > 0;
  const reason: LiveReason = isLive ? "Answered" : "NotAnswered";
  return { status: isLive ? "True" : "False", reason, message: text };
}

/**
 * True = a server's answer must equal the record set. Of several sets with identifiers one is
 * answered, and an ALIAS is answered with addresses.
 */
function isComparable({ setIdentifier, type }: RecordSet): boolean {
  return setIdentifier === null && type !== "ALIAS";
}

interface Walk extends LiveContext {
  readonly sets: readonly RecordSet[];
  readonly name: DnsName;
  /** By label: what is wrong with the answers; null = nothing. */
  readonly asked: Map<string, string | null>;
}

async function askAll(walk: Walk, targets: readonly Target[], referrals: number): Promise<void> {
  for (const target of targets) {
    if (walk.asked.has(target.label) || walk.asked.size >= SERVERS_MAX) continue;
    // It counts while it is asked, so that servers that refer to one another come to an end.
    walk.asked.set(target.label, null);
    const found = await askOne(walk, target);
    const isReferral = typeof found === "object" && found !== null;
    if (!isReferral || referrals === 0) {
      walk.asked.set(target.label, isReferral ? "refers to others without end" : found);
      continue;
    }
    walk.asked.delete(target.label);
    await askAll(walk, targetsOf({ endpoint: "", servers: found }), referrals - 1);
  }
}

/**
 * Text about the fault of the answers; null = none; a list = the server refers to these servers.
 */
async function askOne(walk: Walk, target: Target): Promise<string | null | readonly ZoneServer[]> {
  for (const set of walk.sets) {
    await walk.take();
    const answer = await walk.ask(target, { name: walk.name, type: set.type });
    if (typeof answer === "string") return answer;
    const servers = referralOf(answer);
    if (servers.length > 0) return servers;
    const trouble = troubleWith(answer, set);
    if (trouble !== null) return trouble;
  }
  return null;
}

/** RFC 2308 §2.2: no answer, no authority, and NS records of a zone below. */
function referralOf({ rcode, answer, authority, additional, authoritative }: Message) {
  if (rcode !== "NOERROR" || authoritative || answer.length > 0) return [];
  const names = authority.flatMap(({ type, data }) => (type === "NS" ? [data ?? ""] : []));
  return names.map((name): ZoneServer => {
    const isGlue = (one: { readonly name: string; readonly type: string }): boolean =>
      one.name === name && (one.type === "A" || one.type === "AAAA");
    return { name, addresses: additional.filter(isGlue).flatMap(({ data }) => data ?? []) };
  });
}

/**
 * Asks over one connection for each question. With `hidesTroubles`, each failure is "no answer", so
 * that a tenant does not learn which addresses exist (Z-29).
 */
function askTargets(ports: AskPorts & { readonly hidesTroubles?: boolean }): AskTarget {
  const hidden = ports.hidesTroubles === true ? "no answer" : null;
  return async ({ at }, asked) => {
    try {
      const answer = await asking(ports, at, (client, signal) => question(client, asked, signal));
      return typeof answer === "string" ? (hidden ?? answer) : answer;
    } catch (error) {
      return hidden ?? messageOf(error);
    }
  };
}

/** No question is sent until an object asks for the condition. */
export function openLiveChecks(
  { environment }: Pick<ControllersOptions, "environment">,
  { liveQueriesPerMinute: queriesPerMinute }: Pick<PublishConfig, "liveQueriesPerMinute">,
  engine: Pick<Explainer, "explain" | "propagationOf">,
): LiveChecks {
  const { clock } = environment;
  const ask: AskLive = async (request, take) => {
    const propagation = await engine.propagationOf(request.zone, request.name);
    if (propagation !== null && propagation.is !== "live")
      return notEverywhere(request.name, propagation);
    const explanations = await engine.explain(request.name);
    const id = zoneKeyText(request.zone);
    const explanation = explanations.find(({ zone }) => zoneKeyText(zone) === id);
    if (explanation === undefined) return CLOSED;
    const servers = askTargets(environmentFor(request.namespace, environment));
    return liveAnswer(request, { explanation, ask: servers, take, nowMs: () => clock.nowMs() });
  };
  return new LiveChecks({ clock, queriesPerMinute, ask });
}

function notEverywhere(name: DnsName, propagation: Propagation): LiveAnswer {
  const hasFailed = propagation.is === "failed";
  const text = hasFailed
    ? `the provider's servers do not have the change: ${propagation.message}`
    : "the provider says that not all its servers have the change yet; it is asked again";
  const reason: LiveReason = hasFailed ? "PropagationFailed" : "Propagating";
  return { status: "False", reason, message: `${name}: ${text}` };
}

const CLOSED: LiveAnswer = {
  status: "Unknown",
  reason: "NotAnswered",
  message: "the zone is not open now; it is asked later",
};
