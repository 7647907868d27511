/**
 * The way of a name from its object to the resolvers, link by link: where it is broken, since when,
 * why, and the commands that mend it or look further. Pure.
 */
import { canonicalValues } from "@zonekeeper/dns/rdata/canonical-values";
import type { ListingObject } from "../../controllers/zone-choice/listing-objects.ts";
import { shellQuoted } from "../../model/printable.ts";
import { resourceOf } from "../../model/provenance.ts";
import type { Hold } from "../../plan/changes.ts";
import type { ResolverAnswer } from "../compose/authority/ask-resolvers.ts";
import { isUnanswered, type ServerAnswer } from "../compose/authority/ask-servers.ts";
import type { AnsweredExplanation, ExplainDocument, NameLink } from "./documents.ts";

/** What is known of a name. */
export interface ChainInput {
  readonly document: Pick<ExplainDocument, "name" | "zones" | "providers" | "unread" | "caches">;
  /** All objects that list it. */
  readonly listing: readonly ListingObject[];
  readonly resolvers: readonly ResolverAnswer[];
}

type Part = Omit<NameLink, "is">;

/** Links that do not apply are left out. */
export function nameChain(input: ChainInput): readonly NameLink[] {
  const zone = zoneOf(input.document.zones);
  const parts: readonly (readonly [NameLink["is"], Part | null])[] = [
    ["object", objectPart(input, zone)],
    ["entry", entryPart(input, zone)],
    ["plan", zone === null ? null : planPart(zone)],
    ["zone", zonePart(input, zone)],
    ["servers", zone === null ? null : serversPart(zone)],
    ["alias", zone === null ? null : aliasPart(zone)],
    ["resolvers", resolversPart(input, zone)],
  ];
  return parts.flatMap(([is, part]) => (part === null ? [] : [{ is, ...part }]));
}

/** The zone that knows the name, else the nearest one. */
export function zoneOf(zones: readonly AnsweredExplanation[]): AnsweredExplanation | null {
  const rank = ({ claims, standing }: AnsweredExplanation): number =>
    claims.length > 0 ? 2 : Math.min(1, standing.length);
  const [first] = zones.toSorted((a, b) => rank(b) - rank(a) || b.apex.length - a.apex.length);
  return first ?? null;
}

function part(state: NameLink["state"], text: string, more: Partial<Part> = {}): Part {
  return { state, text, subject: "", since: null, code: "", ...more };
}

const isEntry = ({ object }: ListingObject): boolean => object.startsWith("dnsentry/");

function objectPart({ document, listing }: ChainInput, zone: AnsweredExplanation | null): Part {
  const { name, unread, caches } = document;
  const objects = listing.filter((one) => !isEntry(one));
  const troubled = objects.find(({ state }) => state !== "");
  const [claim] = zone?.claims ?? [];
  if (claim !== undefined) {
    const subject = resourceOf(claim.object);
    if (claim.place === "waits")
      return part("waits", `${subject} lists it and has no address`, { subject });
    const { type = "no record", values = [] } = claim.set ?? {};
    return part("ok", `${subject} wants ${[type, ...values].join(" ")}`, { subject });
  }
  if (troubled !== undefined) return troubledPart(troubled);
  const [listed] = listing;
  if (listed !== undefined) return part("ok", `${listed.object} lists it`, subjectOf(listed));
  const [other] = unread;
  if (other !== undefined)
    return part("broken", `${other.object} names it for external-dns only, which is not read`, {
      subject: other.object,
    });
  if (caches.length > 0)
    return part("unknown", `not all objects were read yet: ${caches[0] ?? ""}`);
  if (zone?.synthesized?.is === "wildcard")
    return part("ok", `no object lists it; the wildcard ${zone.synthesized.at} answers for it`);
  const isThere = (zone?.standing.length ?? 0) > 0;
  return isThere
    ? part("unknown", "no object lists it; the record that is there stays as it is")
    : part("broken", `no object lists ${name}`);
}

function subjectOf({ object }: ListingObject): Pick<Part, "subject"> {
  return { subject: object };
}

function troubledPart(one: ListingObject): Part {
  const { object, state, message } = one;
  const text = [object, state, message].filter(Boolean).join(": ");
  return part("broken", text, { ...subjectOf(one), code: state });
}

/** An entry of a user is the object itself. */
function entryPart({ listing }: ChainInput, zone: AnsweredExplanation | null): Part | null {
  const own = zone?.claims[0] === undefined ? "" : resourceOf(zone.claims[0].object);
  const entries = listing.filter((one) => isEntry(one) && one.object !== own);
  const entry = entries.find(({ state }) => state !== "") ?? entries[0];
  if (entry === undefined) return null;
  if (entry.state !== "") return troubledPart(entry);
  return part("ok", `${entry.object} passes it on`, subjectOf(entry));
}

function planPart(zone: AnsweredExplanation): Part | null {
  const { holds, lastOutcome, nextTryAtMs, verdict, claims, openSinceMs } = zone;
  const since = openSinceMs === undefined ? null : new Date(openSinceMs).toISOString();
  const hold = firstHold(holds);
  if (hold !== undefined) {
    const { code, message } = hold;
    const state = code === "NoTargets" ? "waits" : "broken";
    return part(state, `${code}: ${message}`, { since, code });
  }
  if (nextTryAtMs !== null)
    return part("broken", `the last try failed: ${lastOutcome ?? ""}`, { since });
  if (claims.length === 0) return null;
  if (verdict === "open") return part("waits", "a change is to be made now", { since });
  return part("ok", "the zone has it as wanted");
}

/** What nobody has to do anything about comes last. */
function firstHold(holds: readonly Hold[]): Hold | undefined {
  return holds.find(({ code }) => code !== "NoTargets") ?? holds[0];
}

function zonePart({ document }: ChainInput, zone: AnsweredExplanation | null): Part {
  if (zone === null) {
    const [provider] = document.providers;
    if (provider === undefined) return part("broken", `no open zone contains ${document.name}`);
    const text = `no open zone contains it; DNSProvider ${provider.provider}: ${provider.message}`;
    return part("broken", text, { subject: `dnsprovider/${provider.provider}` });
  }
  const { apex, unread, fence, paused, isDelegated, claims } = zone;
  const at = { subject: apex };
  if (unread !== undefined) {
    if (unread.sinceMs === null) return part("waits", `${apex} is being read`, at);
    const since = new Date(unread.sinceMs).toISOString();
    return part("broken", `${apex} cannot be read: ${unread.message}`, { ...at, since });
  }
  if (isDelegated === true)
    return part(claims.length > 0 ? "broken" : "unknown", "other servers answer for it", at);
  if (fence?.mode === "stopped")
    return part("broken", fence.message, { ...at, code: fence.code ?? "" });
  if (paused !== null) return part("waits", paused, at);
  return part("ok", `${apex} at ${zone.endpoint}`, at);
}

function serversPart(zone: AnsweredExplanation): Part {
  const { answers = [], claims } = zone;
  const [first] = answers;
  if (first === undefined) return part("unknown", "the zone names no server that can be asked");
  const silent = answers.find(({ trouble }) => trouble !== null);
  if (silent !== undefined) {
    const all = isUnanswered(zone, answers) ? "no server answers" : "not all servers answer";
    return part("broken", `${all}: ${silent.server}: ${silent.trouble}`, server(silent));
  }
  const differing = answers.find(({ differs }) => differs !== undefined);
  if (differing !== undefined) {
    const text = `${differing.server} answers otherwise than the zone was read: ${differing.differs}`;
    return part("broken", text, server(differing));
  }
  if (zone.current.length === 0 && zone.synthesized === undefined) {
    const isLacking = claims.some(({ set }) => set !== null);
    return part(isLacking ? "broken" : "unknown", `the servers have nothing there`, server(first));
  }
  const count =
    answers.length === 1 ? "the server answers" : `all ${answers.length} servers answer`;
  return part("ok", `${count} with it`);
}

function server({ server: subject }: ServerAnswer): Pick<Part, "subject"> {
  return { subject };
}

function aliasPart({ alias }: AnsweredExplanation): Part | null {
  if (alias === undefined) return null;
  const [last = ""] = alias.chain.slice(-1);
  const where = `it leads to ${alias.chain.join(" and then ")}`;
  if (alias.is === "answers") return part("ok", where, { subject: last });
  if (alias.is === "unknown")
    return part("unknown", `${where}; whether that answers is not known`, { subject: last });
  return part("broken", `${where}, which has no address`, { subject: last });
}

function resolversPart({ resolvers }: ChainInput, zone: AnsweredExplanation | null): Part | null {
  const [first] = resolvers;
  if (first === undefined) return null;
  const parts = resolvers.map((one) => resolverPart(one, zone));
  const order = ["broken", "waits", "unknown"] as const;
  const worst = order.flatMap((state) => parts.find((one) => one.state === state) ?? [])[0];
  if (worst !== undefined) return worst;
  const seconds = Math.max(0, ...resolvers.flatMap((one) => one.answers.map(ttlOf)));
  const isOne = resolvers.length === 1;
  const who = isOne ? `${first.server} answers` : `all ${resolvers.length} resolvers answer`;
  const keeping = `${isOne ? "keeps" : "keep"} it for ${seconds} s at the most`;
  return part("ok", `${who} with it, and ${keeping}`);
}

function ttlOf({ ttlSeconds }: ResolverAnswer["answers"][number]): number {
  return ttlSeconds;
}

/** Compared with what the zone has; an alias is compared as the alias. */
function resolverPart(one: ResolverAnswer, zone: AnsweredExplanation | null): Part {
  const { server: subject, trouble, rcode, answers } = one;
  if (trouble !== null)
    return part("unknown", `${subject} cannot be asked: ${trouble}`, { subject });
  const sets = zone?.synthesized?.is === "wildcard" ? zone.synthesized.sets : (zone?.current ?? []);
  const comparable = sets.filter((set) => set.setIdentifier === null && set.type !== "ALIAS");
  const [wanted] = comparable;
  if (wanted === undefined) return part("ok", `${subject}: ${rcode}`, { subject });
  if (answers.length === 0) {
    const text = `${subject} has nothing (${rcode}): it remembers that there was nothing, or asks other servers than these`;
    return part("broken", text, { subject });
  }
  const differing = comparable.find((set) => {
    const found = answers.filter(({ type, name }) => type === set.type && name === zone?.name);
    const [now, then] = [found.map(({ data }) => data), set.values].map(canonicalValues);
    return now?.join("\n") !== then?.join("\n");
  });
  if (differing === undefined) return part("ok", `${subject} answers with it`, { subject });
  const seconds = Math.max(...answers.map(ttlOf));
  const data = answers.map((record) => `${record.type} ${record.data}`).join(", ");
  return part("waits", `${subject} answers with ${data} for ${seconds} s more`, { subject });
}

/**
 * The first one mends the first link that is not well, where a command does; the last one looks
 * further. As a shell takes them.
 */
export function mendingCommands(
  { name, zones }: Pick<ExplainDocument, "name" | "zones">,
  chain: readonly NameLink[],
  program: string,
): readonly string[] {
  const zone = zoneOf(zones);
  const at = shellQuoted(name);
  const link =
    chain.find(({ state }) => state === "broken") ?? chain.find(({ state }) => state === "waits");
  const mending = link === undefined ? [] : commandsFor(link, { zone, at, program });
  return [...new Set([...mending, `${program} explain ${at}`])];
}

interface CommandContext {
  readonly zone: AnsweredExplanation | null;
  /** The name, quoted. */
  readonly at: string;
  readonly program: string;
}

function commandsFor(link: NameLink, { zone, at, program }: CommandContext): readonly string[] {
  const { is, code, subject } = link;
  const apex = shellQuoted(zone?.apex ?? "");
  switch (is) {
    case "object":
    case "entry":
      return describing(subject);
    case "plan":
      if (code === "Paused")
        return [`${program} resume ${zone?.paused === null ? `--name ${at}` : `--zone ${apex}`}`];
      if (code === "ForeignRecord") return [`${program} ownership adopt ${at}`];
      return [
        ...(zone?.heldSets ?? []).map(({ hash }) => `${program} approve ${hash}`),
        `${program} plan --name ${at}`,
      ];
    case "zone":
      if (zone === null) return describing(subject);
      if (zone.fence?.mode === "stopped" && zone.fence.other !== null)
        return [`${program} owner take --from ${shellQuoted(zone.fence.other)}`];
      return zone.paused === null
        ? [`${program} plan --zone ${apex}`]
        : [`${program} resume --zone ${apex}`];
    case "servers":
    case "resolvers":
      return [digging(subject, at)];
    case "alias":
      return [`${program} explain ${shellQuoted(subject)}`];
  }
}

/** `kind/namespace/name`. */
function describing(subject: string): readonly string[] {
  const [kind = "", namespace = "", ...name] = subject.split("/");
  if (name.length === 0 && namespace === "") return [];
  const [what, where] = [shellQuoted(name.join("/")), shellQuoted(namespace)];
  const type = kind === "crd" ? "dnsendpoint" : shellQuoted(kind);
  return [`kubectl -n ${where} describe ${type} ${what}`];
}

/** `192.0.2.53:5353`, `[2001:db8::53]:53`, `ns1.example.org (192.0.2.53)`. */
function digging(subject: string, at: string): string {
  const inside = /\(([^)]+)\)$/.exec(subject)?.[1] ?? subject;
  const [, host = inside, port] = /^\[?(.*?)\]?(?::(\d+))?$/.exec(inside) ?? [];
  const isBare = inside.includes("::") && !inside.startsWith("[");
  const where = `@${shellQuoted(isBare ? inside : host)}`;
  return isBare || port === undefined || port === "53"
    ? `dig ${where} ${at}`
    : `dig ${where} -p ${port} ${at}`;
}
