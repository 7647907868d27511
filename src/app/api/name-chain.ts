/**
 * Follows a name from the object that lists it to the resolvers that users ask, in steps (links):
 * object, DNSEntry, plan, zone, servers, alias, resolvers. Says where it is broken, since when, and
 * why. Pure.
 */
import { canonicalValues } from "@zonekeeper/dns/rdata/index";
import type { ListingObject } from "../../controllers/zone-choice/listing-objects.ts";
import { providerText } from "../../model/external-dns-rules.ts";
import { resourceOf } from "../../model/provenance.ts";
import type { Hold } from "../../plan/changes.ts";
import { PROOFS, proofText } from "../../plan/removal/proofs.ts";
import type { ResolverAnswer } from "../compose/authority/ask-resolvers.ts";
import { isUnanswered } from "../compose/authority/ask-servers.ts";
import type { AnsweredExplanation, ExplainDocument, NameLink } from "./documents.ts";
import { dateText } from "./zones-api.ts";

/** The known facts of a name. */
export interface ChainInput {
  readonly document: Pick<
    ExplainDocument,
    "name" | "zones" | "providers" | "unread" | "caches" | "history"
  >;
  /** All objects that list it. */
  readonly listing: readonly ListingObject[];
  readonly resolvers: readonly ResolverAnswer[];
}

type Link = Omit<NameLink, "is">;

/** Links that do not apply are left out. */
export function nameChain(input: ChainInput): readonly NameLink[] {
  const zone = zoneOf(input.document.zones);
  const links: readonly (readonly [NameLink["is"], Link | null])[] = [
    ["object", objectPart(input, zone)],
    ["entry", entryPart(input, zone)],
    ["plan", zone === null ? null : planPart(zone)],
    ["zone", zonePart(input, zone)],
    ["servers", zone === null ? null : serversPart(zone)],
    ["alias", zone === null ? null : aliasPart(zone)],
    ["resolvers", resolversPart(input, zone)],
  ];
  return links.flatMap(([is, one]) => (one === null ? [] : [{ is, ...one }]));
}

/** The zone with claims on the name, else with records, else with the longest apex. */
export function zoneOf(zones: readonly AnsweredExplanation[]): AnsweredExplanation | null {
  const rank = ({ claims, standing }: AnsweredExplanation): number =>
    claims.length > 0 ? 2 : Math.min(1, standing.length);
  const [first] = zones.toSorted((a, b) => rank(b) - rank(a) || b.apex.length - a.apex.length);
  return first ?? null;
}

function link(state: NameLink["state"], text: string, more: Partial<Link> = {}): Link {
  return { state, text, subject: "", since: null, code: "", ...more };
}

const isEntry = ({ object }: ListingObject): boolean => object.startsWith("dnsentry/");

function objectPart(input: ChainInput, zone: AnsweredExplanation | null): Link {
  const [claim] = zone?.claims ?? [];
  if (claim !== undefined) {
    const subject = resourceOf(claim.object);
    const isWaiting = claim.place === "waits";
    if (isWaiting) return link("waits", `${subject} lists it and has no address`, { subject });
    const { type = "no record", values = [] } = claim.set ?? {};
    return link("ok", `${subject} wants ${[type, ...values].join(" ")}`, { subject });
  }
  const { listing } = input;
  const troubled = listing.find((one) => !isEntry(one) && one.state !== "");
  if (troubled !== undefined) return troubledPart(troubled);
  const [listed] = listing;
  if (listed !== undefined)
    return link("ok", `${listed.object} lists it`, { subject: listed.object });
  return unlistedPart(input.document, zone);
}

function unlistedPart(
  { name, unread: [other], caches: [cache], history }: ChainInput["document"],
  zone: AnsweredExplanation | null,
): Link {
  if (other !== undefined) {
    const { object: subject } = other;
    const text = `${subject} names it for external-dns only, which is not read`;
    return link("broken", text, { subject });
  }
  if (cache !== undefined) return link("unknown", `not all objects were read yet: ${cache}`);
  if (zone?.synthesized?.is === "wildcard")
    return link("ok", `no object lists it; the wildcard ${zone.synthesized.at} answers for it`);
  const proof = firstHold(zone?.holds ?? [])?.proof ?? null;
  if (proof !== null) return link("unknown", `no object lists it: ${PROOFS[proof]}`);
  if ((zone?.standing.length ?? 0) > 0)
    return link("unknown", "no object lists it; the record that is there stays as it is");
  return removedPart(history) ?? link("broken", `no object lists ${name}`);
}

/** The link of a removed name; null = the last change was no removal. */
function removedPart(history: ExplainDocument["history"]): Link | null {
  const [last] = history?.changes ?? [];
  if (last?.is !== "removed") return null;
  const { at: since, why, object, hash } = last;
  const whose = object === "" ? "" : ` (${object})`;
  const approved = hash === undefined ? "" : `, approved with set ${hash}`;
  const text = `it was removed: ${proofText(why) ?? why}${whose}${approved}`;
  return link("unknown", `no object lists it any more; ${text}`, { since });
}

function troubledPart({ object, state, message }: ListingObject): Link {
  const text = [object, state, message].filter(Boolean).join(": ");
  return link("broken", text, { subject: object, code: state });
}

/**
 * The link of a generated DNSEntry; null = there is none. A DNSEntry that a person wrote is the
 * object.
 */
function entryPart({ listing }: ChainInput, zone: AnsweredExplanation | null): Link | null {
  const own = zone?.claims[0] === undefined ? "" : resourceOf(zone.claims[0].object);
  const entries = listing.filter((one) => isEntry(one) && one.object !== own);
  const entry = entries.find(({ state }) => state !== "") ?? entries[0];
  if (entry === undefined) return null;
  if (entry.state !== "") return troubledPart(entry);
  return link("ok", `${entry.object} passes it on`, { subject: entry.object });
}

function planPart(zone: AnsweredExplanation): Link | null {
  const { holds, lastOutcome, nextTryAtMs, verdict, claims, openSinceMs } = zone;
  const since = dateText(openSinceMs ?? null);
  const hold = firstHold(holds);
  if (hold !== undefined) {
    const { code, message } = hold;
    const goes = removalText(zone, hold);
    const isPaused = code === "Paused";
    const state = code === "NoTargets" || isPaused || goes !== null ? "waits" : "broken";
    if (goes === null)
      return link(state, `${code}: ${message}${isPaused ? afterPause(hold) : ""}`, { since, code });
    const pause = isPaused ? ". When the pause ends it is removed, unless that is back" : "";
    return link(state, `published; ${goes}: ${message}${pause}`, { since, code });
  }
  if (nextTryAtMs !== null)
    return link("broken", `the last try failed: ${lastOutcome ?? ""}`, { since });
  if (claims.length === 0) return null;
  if (verdict === "open") return link("waits", "a change is to be made now", { since });
  return link("ok", "the zone has it as wanted");
}

/**
 * Says what the record becomes when the pause ends. The pause may belong to an undo, which the
 * object would revert.
 */
function afterPause(hold: Hold): string {
  const wanted = wantedIn(hold);
  if (wanted === null) return "";
  const { type, values } = wanted.set;
  return `. When the pause ends it becomes ${type} ${values.join(", ")}, as ${wanted.object} wants: correct that first if it shall stay`;
}

/**
 * The object and the record set that a hold keeps waiting; null = a removal, or no object wants it.
 */
export function wantedIn({ change, provenance }: Hold) {
  if (!change || change.op === "remove" || provenance === null) return null;
  return { object: resourceOf(provenance), set: change.next };
}

/** Text that a removal is held, so that the record still answers; null = another change is held. */
function removalText({ resource }: AnsweredExplanation, { change, proof }: Hold): string | null {
  if (change?.op !== "remove") return null;
  const why = proof === undefined || proof === null ? "" : ` since ${PROOFS[proof]}`;
  return `its removal is held${why}${resource === null ? "" : ` (${resource})`}`;
}

/** The hold to show: one that a person can act on goes first. */
export function firstHold(holds: readonly Hold[]): Hold | undefined {
  return holds.find(({ code }) => code !== "NoTargets") ?? holds[0];
}

function zonePart({ document }: ChainInput, zone: AnsweredExplanation | null): Link {
  if (zone === null) {
    const [provider] = document.providers;
    if (provider === undefined) return link("broken", `no open zone contains ${document.name}`);
    const text = `no open zone contains it; ${providerText(provider.provider)}: ${provider.message}`;
    return link("broken", text, { subject: `dnsprovider/${provider.provider}` });
  }
  const { apex, unread, fence, paused, isDelegated, claims } = zone;
  const at = { subject: apex };
  if (unread !== undefined) {
    if (unread.sinceMs === null) return link("waits", `${apex} is being read`, at);
    const since = new Date(unread.sinceMs).toISOString();
    return link("broken", `${apex} cannot be read: ${unread.message}`, { ...at, since });
  }
  if (isDelegated === true)
    return link(claims.length > 0 ? "broken" : "unknown", "other servers answer for it", at);
  if (fence?.mode === "stopped")
    return link("broken", fence.message, { ...at, code: fence.code ?? "" });
  if (paused !== null) return link("waits", paused, at);
  return link("ok", `${apex} at ${zone.endpoint}`, at);
}

function serversPart(zone: AnsweredExplanation): Link {
  const { answers = [], claims } = zone;
  const [first] = answers;
  if (first === undefined) return link("unknown", "the zone names no server that can be asked");
  const at = { subject: first.server };
  const silent = answers.find(({ trouble }) => trouble !== null);
  if (silent !== undefined) {
    const all = isUnanswered(zone, answers) ? "no server answers" : "not all servers answer";
    const { server: subject, trouble } = silent;
    return link("broken", `${all}: ${subject}: ${trouble}`, { subject });
  }
  const differing = answers.find(({ differs }) => differs !== undefined);
  if (differing !== undefined) {
    const { server: subject, differs } = differing;
    const text = `${subject} answers otherwise than the zone was read: ${differs}`;
    return link("broken", text, { subject });
  }
  if (zone.current.length === 0 && zone.synthesized === undefined) {
    const isLacking = claims.some(({ set }) => set !== null);
    return link(isLacking ? "broken" : "unknown", "the servers have nothing there", at);
  }
  const count =
    answers.length === 1 ? "the server answers" : `all ${answers.length} servers answer`;
  const hold = firstHold(zone.holds);
  const isOther = hold !== undefined && hold.change?.op !== "remove" && claims.length > 0;
  if (!isOther) return link("ok", `${count} with it`);
  return link("waits", `${count} with what the zone has, which is not what is wanted`, at);
}

function aliasPart({ alias }: AnsweredExplanation): Link | null {
  if (alias === undefined) return null;
  const [last = ""] = alias.chain.slice(-1);
  const where = `it leads to ${alias.chain.join(" and then ")}`;
  if (alias.is === "answers") return link("ok", where, { subject: last });
  if (alias.is === "unknown")
    return link("unknown", `${where}; whether that answers is not known`, { subject: last });
  return link("broken", `${where}, which has no address`, { subject: last });
}

function resolversPart({ resolvers }: ChainInput, zone: AnsweredExplanation | null): Link | null {
  const [first] = resolvers;
  if (first === undefined) return null;
  const links = resolvers.map((one) => resolverPart(one, zone));
  const order = ["broken", "waits", "unknown"] as const;
  const worst = order.flatMap((state) => links.find((one) => one.state === state) ?? [])[0];
  if (worst !== undefined) return worst;
  const seconds = Math.max(
    0,
    ...resolvers.flatMap((one) => one.answers.map(({ ttlSeconds }) => ttlSeconds)),
  );
  const isOne = resolvers.length === 1;
  const who = isOne ? `${first.server} answers` : `all ${resolvers.length} resolvers answer`;
  if (resolvers.every(({ answers }) => answers.length === 0))
    return link("ok", `${who} ${first.rcode}`);
  const keeping = `${isOne ? "keeps" : "keep"} it for ${seconds} s at the most`;
  return link("ok", `${who} with it, and ${keeping}`);
}

/** Compares the answer of a resolver with the records of the zone; a CNAME as itself. */
function resolverPart(one: ResolverAnswer, zone: AnsweredExplanation | null): Link {
  const { server: subject, trouble, rcode, answers } = one;
  if (trouble !== null)
    return link("unknown", `${subject} cannot be asked: ${trouble}`, { subject });
  const sets = zone?.synthesized?.is === "wildcard" ? zone.synthesized.sets : (zone?.current ?? []);
  const comparable = sets.filter((set) => set.setIdentifier === null && set.type !== "ALIAS");
  const [wanted] = comparable;
  if (wanted === undefined) return link("ok", `${subject}: ${rcode}`, { subject });
  if (answers.length === 0) {
    const text = `${subject} has nothing (${rcode}): it remembers that there was nothing, or asks other servers than these`;
    return link("broken", text, { subject });
  }
  const differing = comparable.find((set) => {
    const found = answers.filter(({ type, name }) => type === set.type && name === zone?.name);
    const [now, then] = [found.map(({ data }) => data), set.values].map(canonicalValues);
    return now?.join("\n") !== then?.join("\n");
  });
  if (differing === undefined) return link("ok", `${subject} answers with it`, { subject });
  const seconds = Math.max(...answers.map(({ ttlSeconds }) => ttlSeconds));
  const data = answers.map((record) => `${record.type} ${record.data}`).join(", ");
  return link("waits", `${subject} answers with ${data} for ${seconds} s more`, { subject });
}
