/**
 * `GET /api/v1/explain/NAME`: why a name is as it is, and its verdict as a header. Also follows the
 * CNAME at a name to its end, through the zones that are open here, then by the resolver, and says
 * whether the end answers.
 */
import { type DnsName, parseDnsName } from "@zonekeeper/dns/names/dns-name";
import type { FastifyInstance } from "fastify";
import { type ListingObject, OTHER_CLASS } from "../../controllers/zone-choice/listing-objects.ts";
import { resourceOf } from "../../model/provenance.ts";
import type { RecordSet } from "../../model/record-set.ts";
import type { NameClaim, NameExplanation } from "../../sync/contract/name-explanation.ts";
import { isUnanswered, typesOf } from "../compose/authority/ask-servers.ts";
import type { Instance, Work } from "../compose/instance.ts";
import { clusterTroubles, unreadKinds } from "../compose/zone-checks.ts";
import { unreadObjects } from "./blind-spots.ts";
import { type AliasEnd, answer, type ExplainDocument } from "./documents.ts";
import { NAME_VERDICT_HEADER, Refused } from "./exchange.ts";
import { datedChanges } from "./history-api.ts";
import { mendingCommands } from "./mending-commands.ts";
import { nameChain, zoneOf } from "./name-chain.ts";
import type { CallerBehind } from "./readers/caller.ts";

/** Objects that are shown for one name. */
const LISTED_MAX = 20;
/** Changes that are shown for one name. */
const CHANGES_SHOWN = 5;

interface Asked {
  readonly Params: { readonly name: string };
  /** `chain`: `true` = with the links of its way, and what resolvers answer. */
  readonly Querystring: { readonly chain?: string };
}

/** Adds the route. */
export function addExplainApi(api: FastifyInstance, callerBehind: CallerBehind): void {
  api.get<Asked>("/api/v1/explain/:name", async (request, reply) => {
    const { params, query } = request;
    const name = parseDnsName(params.name);
    if (!name.ok) throw new Refused({ status: 400, code: "InvalidDnsName", message: name.error });
    const document = await explanationOf(
      callerBehind(request).instance,
      name.value,
      query.chain === "true",
    );
    return answer(reply, document, { [NAME_VERDICT_HEADER]: verdictOf(document) });
  });
}

/**
 * Gathers the document. `wishes` (objects that list the name) leaves out objects that an open zone
 * shows as claims, unless something is wrong with them; where a zone has a claim, `providers` is
 * empty.
 */
async function explanationOf(
  instance: Instance,
  name: DnsName,
  hasChain: boolean,
): Promise<ExplainDocument> {
  const zones = await Promise.all(
    (await instance.work.explain(name)).map(async (zone) => {
      const [answers, alias] = await Promise.all([
        instance.askServers(zone),
        aliasEnd(instance, zone),
      ]);
      return { ...zone, answers, ...(alias === null ? {} : { alias }) };
    }),
  );
  const isName = (one: DnsName): boolean => one === name;
  const claims = zones.flatMap((zone) => zone.claims);
  const explained = new Set(
    claims.filter(isExplained).map(({ object }) => `${object.cluster} ${resourceOf(object)}`),
  );
  const listing = await instance.work.whoLists(isName);
  const checks = instance.checks();
  const asked = { zone: null, name, sinceMs: null, limit: CHANGES_SHOWN };
  const { changes } = await instance.work.history(asked);
  const document: ExplainDocument = {
    schema: "zonekeeper.dev/explain/v1",
    name,
    zones,
    wishes: listing
      .filter(
        ({ object, cluster, state }) =>
          !explained.has(`${cluster} ${object}`) && (state !== "" || claims.length === 0),
      )
      .slice(0, LISTED_MAX),
    providers: claims.length > 0 ? [] : instance.work.troubles(name),
    unread: unreadObjects(await instance.work.namedElsewhere(isName)).flatMap(
      ({ objects }) => objects,
    ),
    caches: unreadKinds(checks),
    clusters: clusterTroubles(checks),
    dryRun: instance.dryRunText?.() ?? null,
    ...(changes.length === 0 ? {} : { history: datedChanges(changes) }),
    further: (instance.furtherClusters?.() ?? []).map(({ id }) => id),
  };
  return hasChain ? withChain(instance, document, listing) : document;
}

/**
 * Adds the chain, the resolvers' answers and the commands. Objects of other classes do not count.
 */
async function withChain(
  instance: Instance,
  document: ExplainDocument,
  listing: readonly ListingObject[],
): Promise<ExplainDocument> {
  const { name, zones } = document;
  const zone = zoneOf(zones);
  const types = zone === null ? ["A", "AAAA"] : typesOf(zone);
  const resolvers = (await instance.askResolvers?.(name, types)) ?? [];
  const own = listing.filter(({ state }) => state !== OTHER_CLASS);
  const chain = nameChain({ document, listing: own, resolvers });
  const commands = mendingCommands(document, chain, instance.commandName ?? "zonekeeper");
  return { ...document, chain, resolvers, commands };
}

/** True = the zone's part of the answer says why the object is not published. */
function isExplained({ place }: NameClaim): boolean {
  return place !== "first" && place !== "waits";
}

/**
 * The verdict over all zones. `trouble`, in one zone or with all its servers, goes before all
 * others; then `unknown`, while not all objects were read. `open`: a zone says so, an alias leads
 * nowhere, an object that lists the name is not published as it is now, or a cluster has trouble.
 * Else `settled` if one zone knows the name.
 */
function verdictOf(document: ExplainDocument): NameExplanation["verdict"] {
  const { zones, wishes, caches, clusters } = document;
  const verdicts = new Set(zones.map(({ verdict }) => verdict));
  if (zones.some((zone) => isUnanswered(zone, zone.answers ?? []))) verdicts.add("trouble");
  if (zones.some(({ alias }) => alias?.is === "nowhere")) verdicts.add("open");
  if (caches.length > 0) return verdicts.has("trouble") ? "trouble" : "unknown";
  if (clusters.length > 0 || wishes.some(({ state }) => state !== "")) verdicts.add("open");
  const order = ["trouble", "open", "settled"] as const;
  return order.find((verdict) => verdicts.has(verdict)) ?? "unknown";
}

interface AliasPorts extends Pick<Instance, "hasAddress"> {
  readonly work: Pick<Work, "explain">;
}

type Known = Pick<NameExplanation, "name" | "current" | "synthesized">;

/** Longest chain that is followed; servers follow about as many (BIND: 16). */
const ALIASES_MAX = 8;

/** Null = there is no alias at the name. Never rejects. */
export async function aliasEnd(instance: AliasPorts, known: Known): Promise<AliasEnd | null> {
  const chain: DnsName[] = [];
  // Names such as `_acme-challenge` and `_domainkey` lead to TXT records, not to addresses.
  const needsAddress = !/(?:^|\.)_/.test(known.name);
  let last: Known | null = known;
  let target = targetOf(known);
  while (target !== null && chain.length <= ALIASES_MAX) {
    chain.push(target);
    // The records of the open zone with the longest apex; null = not known.
    const zones = await instance.work.explain(target);
    const [zone] = zones.toSorted((a, b) => b.apex.length - a.apex.length);
    last =
      zone === undefined || zone.unread !== undefined || zone.isDelegated === true ? null : zone;
    target = last === null ? null : targetOf(last);
  }
  const [end] = chain.slice(-1);
  if (end === undefined) return null;
  if (target !== null) return { chain, is: "nowhere" };
  if (last === null)
    return { chain, is: endOf(needsAddress ? await instance.hasAddress(end) : null) };
  const answering = answersOf(last).filter(({ type }) => !needsAddress || ADDRESS_TYPES.has(type));
  return { chain, is: endOf(answering.length > 0) };
}

function endOf(found: boolean | null): AliasEnd["is"] {
  if (found === null) return "unknown";
  return found ? "answers" : "nowhere";
}

function targetOf(known: Known): DnsName | null {
  const alias = answersOf(known).find(({ type }) => type === "CNAME");
  const target = parseDnsName(alias?.values[0]?.replace(/\.$/, "") ?? "");
  return target.ok ? target.value : null;
}

function answersOf({ synthesized, current }: Known): readonly RecordSet[] {
  return synthesized?.sets ?? current;
}

/** DNAME and ALIAS count as addresses: what they answer is not known here. */
const ADDRESS_TYPES: ReadonlySet<string> = new Set(["A", "AAAA", "ALIAS", "DNAME"]);
