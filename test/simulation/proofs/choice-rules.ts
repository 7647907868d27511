/**
 * Rules about which DNSProvider serves an object, and under which owner id, each shown by the
 * smallest case that it decides. Throws at the first one that is broken.
 */
import { type DnsName, trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { SECRET, SERVICE } from "@zonekeeper/kube/objects/kinds";
import type { Applicant } from "../../../src/controllers/zone-choice/applicant.ts";
import { ProviderDirectory } from "../../../src/controllers/zone-choice/provider-directory.ts";
import type { ProviderFacts } from "../../../src/controllers/zone-choice/provider-facts.ts";
import type { EntryContext } from "../../../src/gardener/dns-entry/entry-context.ts";
import { isOfOtherType } from "../../../src/gardener/dns-entry/served-by-others.ts";
import { hasOtherType } from "../../../src/gardener/dns-provider/provider-spec.ts";
import { DEFAULT_CLASS } from "../../../src/model/dns-class.ts";
import { DNS_ENTRY, DNS_OWNER, DNS_PROVIDER } from "../../../src/model/kinds.ts";
import type { Zone } from "../../../src/model/zone.ts";
import { markAnnotations } from "../../../src/source-controllers/entries/entry-marks.ts";
import { providerFacts } from "../../support/values/provider-facts.ts";
import { objectOf, programWorld } from "../../support/worlds/program-world.ts";
import { demand } from "./demand.ts";

const API = "dns.gardener.cloud/v1alpha1";
const OWNER_ID = "dns.gardener.cloud/owner-id";
const REALMS = "dns.gardener.cloud/realms";
const IGNORE = "resources.gardener.cloud/ignore-owners-for-access-control";
const APEX = trustedDnsName("example.org");
const BELOW = trustedDnsName("a.example.org");
const NAME = trustedDnsName("www.a.example.org");

function facts(name: string, more: Partial<ProviderFacts> = {}): ProviderFacts {
  const zone = { id: name, name: APEX, providerType: "memory", endpoint: "", view: "" };
  const id = `dns/${name}`;
  return providerFacts({ id, namespace: "dns", account: name, zones: [zone], ...more });
}

interface Asking extends Partial<Applicant> {
  readonly anyNamespace?: boolean;
  readonly trusted?: boolean | readonly string[];
  readonly isListed?: boolean;
  readonly present?: string;
  /** Name servers of `a.example.org` in the zones above it, by zone; else nothing is read. */
  readonly delegated?: string | null;
}

function directoryOf(asking: Asking): ProviderDirectory {
  const { anyNamespace = false, trusted = true, isListed = true, delegated } = asking;
  const directory = new ProviderDirectory({
    anyNamespace,
    trusts: (namespace) => (typeof trusted === "boolean" ? trusted : trusted.includes(namespace)),
    cutOf: ({ zone }) => {
      if (delegated === undefined) return null;
      if (zone === "child") return { at: BELOW, servers: ["ns.child"] };
      return delegated === null
        ? { at: APEX, servers: ["ns.example"] }
        : { at: BELOW, servers: [delegated] };
    },
  });
  directory.setListed(isListed);
  return directory;
}

/** The DNSProvider that serves the name, else why none does. */
function choose(all: readonly ProviderFacts[], asking: Asking = {}): string {
  const { namespaces = ["dns"], realms = [""], present = null } = asking;
  const directory = directoryOf(asking);
  for (const one of all) directory.set(one);
  const { cluster } = asking;
  const applicant = { namespaces, realms, ...(cluster === undefined ? {} : { cluster }) };
  const chosen = directory.select({ name: NAME, applicant, present, presentZone: null });
  if (chosen.kind === "zone") return chosen.provider.id;
  return chosen.kind === "none"
    ? `none, see ${chosen.otherRealm?.id ?? chosen.otherCluster ?? "-"}`
    : chosen.kind;
}

/** Namespaces (`--disable-namespace-restriction`) and realms. */
export function proveAccessToProviders(): void {
  const p = facts("p");
  const served = (asking: Asking): boolean => choose([p], asking) === "dns/p";
  demand(served({}), "no DNSProvider serves its namespace");
  demand(!served({ namespaces: ["shop"] }), "a DNSProvider serves another namespace");
  const freely = { namespaces: ["shop"], anyNamespace: true };
  demand(served(freely), "--disable-namespace-restriction has no effect");
  demand(!served({ namespaces: ["dns", "shop"] }), "one of two owners is enough");
  demand(!served({ namespaces: [] }), "an object of nobody uses a DNSProvider");
  demand(served({ namespaces: [""] }), "an object without a namespace is not served");
  const strange = { namespaces: [""], trusted: false };
  demand(!served(strange), "a DNSProvider of a tenant serves the cluster's objects");
  const notified: string[] = [];
  for (const anyNamespace of [false, true]) {
    const directory = directoryOf({ anyNamespace });
    directory.onChange((namespace) => notified.push(namespace));
    directory.set(p);
  }
  demand(notified.join() === "dns,", "entries of other namespaces do not hear of a DNSProvider");
  const ofRealm = facts("r", { realms: ["a", "b"] });
  const other = choose([ofRealm], { realms: ["c"] });
  demand(other.startsWith("none"), "a DNSProvider serves another realm");
  demand(other === "none, see dns/r", "the realm that an object lacks is not told");
  demand(choose([ofRealm], { realms: ["b"] }) === "dns/r", "one realm of two is not enough");
  proveFurtherClusters();
}

function proveFurtherClusters(): void {
  const p = facts("p");
  const asking = { cluster: "eu" };
  const ofSameName = choose([p], asking);
  demand(ofSameName.startsWith("none"), "a namespace of another cluster uses a DNSProvider");
  demand(ofSameName === "none, see dns/p", "the DNSProvider that would serve it is not told");
  for (const named of ["eu", "*"])
    demand(
      choose([facts("p", { clusters: [named] })], asking) === "dns/p",
      "a named one is not served",
    );
  const other = choose([facts("p", { clusters: ["us"] })], asking);
  demand(other.startsWith("none"), "a namespace of another cluster uses a DNSProvider");
}

/** Of several DNSProviders. */
export function proveChoice(): void {
  const [p, q] = [facts("p"), facts("q")];
  const inner = facts("x", { included: [trustedDnsName("a.example.org")] });
  demand(choose([p, inner]) === "dns/x", "a shorter domain comes before a longer one");
  demand(choose([p, q], { present: "dns/q" }) === "dns/q", "an entry leaves its DNSProvider");
  const pending = facts("q", { state: "pending" });
  demand(choose([pending]) === "undecided", "a DNSProvider that is not known counts as none");
  demand(choose([p, pending]) === "undecided", "it is chosen before all are known");
  const kept = choose([p, pending], { present: "dns/p" });
  demand(kept === "dns/p", "a new DNSProvider stops those that are served");
  const invalid = facts("a", { state: "invalid" });
  demand(choose([invalid, p]) === "dns/p", "one that cannot be used comes before one that can");
  const deleting = facts("a", { deleting: true });
  demand(choose([deleting, p]) === "dns/p", "one that is being deleted is chosen");
  const excluding = facts("a", { excluded: [trustedDnsName("a.example.org")] });
  demand(choose([excluding]).startsWith("none"), "an excluded domain is served");
  const early = choose([], { isListed: false });
  demand(early === "undecided", "absence counts before DNSProviders are listed");
}

/** With `--disable-namespace-restriction`, whose DNSProvider goes first (Z-18, ADR 0058). */
export function provePrecedence(): void {
  const free = { namespaces: ["shop"], anyNamespace: true, trusted: ["ops"], delegated: null };
  const of = (id: string, more: Partial<ProviderFacts> = {}): ProviderFacts =>
    facts(id.split("/")[1] ?? "", { id, namespace: id.split("/")[0] ?? "", ...more });
  const zoned = (id: string, more: Partial<Zone> = {}): ProviderFacts => {
    const zone = { ...plainZone("child", BELOW), ...more };
    return of(id, { zones: [zone], explicit: ["child"], included: [zone.name] });
  };
  const own = of("shop/own");
  const narrow = of("evil/narrow", { included: [BELOW] });
  demand(choose([own, narrow], free) === "shop/own", "a narrower include of others takes a name");
  const child = zoned("evil/child");
  demand(choose([own, child], free) === "shop/own", "an undelegated zone of others takes a name");
  const named = choose([own, zoned("ops/child")], free);
  demand(named === "shop/own", "an undelegated zone that is trusted takes a name");
  const inside = of("shop/in", { zones: [plainZone("child", BELOW)], included: [BELOW] });
  const above = choose([of("evil/p"), inside], free);
  demand(above === "shop/in", "a zone of others above takes a name");
  const secret = zoned("evil/child", { visibility: "private" });
  demand(choose([own, secret], free) === "shop/own", "a private zone of others takes a name");
  const led = { ...free, delegated: "ns.child" };
  demand(choose([own, child], led) === "evil/child", "a delegation to others leads nowhere");
  const deep = zoned("evil/child", { id: "deep", name: NAME });
  const past = { ...free, delegated: "ns.elsewhere" };
  demand(choose([own, deep], past) === "shop/own", "a zone of others takes what is delegated");
  const trusted = of("ops/p");
  const first = choose([narrow, child, trusted], free);
  demand(first === "ops/p", "a namespace that is not trusted comes before one that is");
  demand(choose([trusted, zoned("ops/child")], free) === "ops/child", "a trusted zone is left");
  const plain = of("dns/p");
  demand(choose([plain, child], free) === "dns/p", "of two strangers a zone that none leads to");
  const both = [plain, zoned("dns/child")];
  demand(choose(both, free) === "dns/child", "one namespace names no zone below its own");
  const copy = of("evil/narrow", { included: [BELOW], unproven: ["narrow"] });
  demand(choose([plain, copy], free) === "dns/p", "a copy of a zone takes a name");
  const coming = of("evil/narrow", { included: [BELOW], state: "pending" });
  demand(choose([own, coming], free) === "shop/own", "a DNSProvider of others delays names");
  const broken = of("shop/own", { state: "invalid" });
  const lost = choose([broken, narrow], free);
  demand(lost === "invalid", "names of a broken DNSProvider go to others");
  const kept = choose([broken, narrow], { ...free, present: "evil/narrow" });
  demand(kept === "evil/narrow", "what others serve loses its zone");
}

function plainZone(id: string, name: DnsName): Zone {
  return { id, name, providerType: "memory", endpoint: "", view: "" };
}

/** Who leads into the zone of a deleted entry; its DNSProvider `dns/gone` is not there any more. */
function remover(all: readonly ProviderFacts[], asking: Asking = {}): string {
  const directory = directoryOf(asking);
  for (const one of all) directory.set(one);
  const status = { provider: "dns/gone", providerType: "memory", zone: "z" };
  const { namespaces = ["dns"] } = asking;
  const found = directory.findStatusZone(status, { namespaces, realms: [] });
  return found.state === "usable" ? found.provider : found.state;
}

/** Z-19: where a DNSProvider was replaced, another one removes what deleted entries had. */
export function proveRemovers(): void {
  const zones = [{ id: "z", name: APEX, providerType: "memory", endpoint: "", view: "" }];
  const q = facts("q", { zones, excluded: [NAME] });
  demand(remover([q]) === "dns/q", "no other DNSProvider removes what a deleted entry had");
  demand(remover([facts("q", { zones, type: "other" })]) === "gone", "one of another type removes");
  const unserved = facts("q", { zones: [], known: zones });
  demand(remover([unserved]) === "gone", "a zone that is not served is written");
  const strange = remover([q], { namespaces: ["shop"] });
  demand(strange === "gone", "one of another namespace removes");
  const copy = facts("c", { zones, unproven: ["z"] });
  demand(remover([copy, q]) === "dns/q", "a way that is not proven comes first");
  const own = facts("gone", { account: null, zones: [], state: "invalid" });
  demand(remover([own, q]) === "unusable", "a DNSProvider that may come back is not waited for");
  const listing = facts("gone", { zones: [] });
  demand(remover([listing, q]) === "dns/q", "one that has no such zone any more is waited for");
}

/** Z-19: whom a note of a zone, which anybody can write, leads into which zone. */
export function proveNotedZones(): void {
  const mayNote = (all: readonly ProviderFacts[], asking: Asking = {}, name = NAME): boolean => {
    const directory = directoryOf(asking);
    for (const one of all) directory.set(one);
    const { namespaces = ["dns"], realms = [""] } = asking;
    const note = { provider: "dns/p", providerType: "memory", zone: "p" };
    return directory.mayNote(note, { namespaces, realms }, name);
  };
  const excluding = facts("p", { excluded: [NAME] });
  demand(mayNote([facts("p")]), "an entry does not find the zone that it notes");
  demand(!mayNote([facts("p")], { namespaces: ["shop"] }), "a note leads into another namespace");
  demand(!mayNote([excluding]), "a note leads into a zone that excludes the name");
  demand(!mayNote([facts("p", { realms: ["a"] })]), "a note leads into another realm");
  const other = facts("p", { zones: [] });
  demand(!mayNote([other]), "a note leads into a zone that is not served");
  demand(!mayNote([facts("p")], {}, trustedDnsName("www.example.com")), "a name leaves its zone");
}

interface Typed {
  readonly providerType?: string;
  readonly selection?: string;
  readonly statusProvider?: string;
  /** Record sets that it wants; 0 = it has a mistake. */
  readonly items?: number;
}

/** `--provider-types`: processes of one class divide its DNSProviders by type. */
export function proveTypes(): void {
  const spec = { type: "other" };
  const provider = objectOf(API, "DNSProvider", "p", { spec });
  demand(hasOtherType(provider, new Set(["memory"])), "a DNSProvider of another type is served");
  demand(!hasOtherType(provider, null), "a process of all types leaves a DNSProvider");
  const isLeft = (typed: Typed): boolean => {
    const { providerType = null, selection = "none", statusProvider = "gone", items = 1 } = typed;
    // It reads nothing else of an entry and what is known of it.
    return isOfOtherType({
      ...{ entry: { status: { providerType }, deletingSinceMs: null }, statusProvider },
      ...{ selection: { kind: selection }, found: { items: Array.from({ length: items }) } },
      providerTypes: new Set(["memory"]),
    } as unknown as EntryContext);
  };
  const served = { statusProvider: "other-type", selection: "zone" };
  demand(isLeft(served), "an entry that another process serves is written");
  demand(!isLeft({ selection: "zone" }), "a new entry that this process serves is left");
  demand(isLeft({}), "an entry that another process may serve is written");
  demand(!isLeft({ providerType: "memory" }), "an entry of a lost DNSProvider is left");
  demand(!isLeft({ items: 0 }), "nobody tells a mistake");
  demand(!isLeft({ selection: "invalid" }), "nobody tells that a DNSProvider is not valid");
}

type Annotations = Readonly<Record<string, string>>;

interface Story {
  readonly publishing: "entries" | "direct";
  /** Annotation of the DNSProvider. */
  readonly ofProvider?: string;
  /** Annotation of the Service. */
  readonly ofService?: string;
  readonly targetOwnerId?: string;
}

/** The owner id in the marker of a Service's record. */
async function ownerOf(story: Story): Promise<string> {
  const { clock, cluster, start, zone } = programWorld();
  const named = (id: string | undefined): Annotations =>
    id === undefined ? {} : { [OWNER_ID]: id };
  cluster.apply(SECRET, objectOf("v1", "Secret", "s", {}));
  const spec = { type: "memory", secretRef: { name: "s" } };
  const metadata = { annotations: named(story.ofProvider) };
  cluster.apply(DNS_PROVIDER, objectOf(API, "DNSProvider", "p", { metadata, spec }));
  for (const ownerId of ["team", "shop", "all"])
    cluster.apply(DNS_OWNER, {
      ...{ apiVersion: API, kind: "DNSOwner" },
      ...{ metadata: { name: ownerId }, spec: { ownerId } },
    });
  const names = { "dns.gardener.cloud/dnsnames": "www.example.org" };
  const fields = { metadata: { annotations: { ...names, ...named(story.ofService) } } };
  cluster.apply(SERVICE, objectOf("v1", "Service", "web", { ...fields, spec: LOAD_BALANCER }));
  cluster.setStatus(SERVICE, "default", "web", {
    loadBalancer: { ingress: [{ ip: "192.0.2.1" }] },
  });
  const { publishing, targetOwnerId = null } = story;
  const running = start(publishing, { publish: { targetOwnerId } });
  await clock.advance(60_000);
  const owner = /external-dns\/owner=([a-z]+)/.exec(zone())?.[1] ?? "nobody";
  await running.stop();
  return owner;
}

/** `--dns-target-class`: entries of a class that another process serves. */
export async function proveTargetClass(): Promise<void> {
  const { clock, cluster, start } = programWorld();
  const annotations = { "dns.gardener.cloud/dnsnames": "www.example.org" };
  const fields = { metadata: { annotations }, spec: LOAD_BALANCER };
  const running = start(null, { targetClass: "public" });
  await clock.advance(60_000);
  cluster.apply(SERVICE, objectOf("v1", "Service", "web", fields));
  const loadBalancer = { ingress: [{ ip: "192.0.2.1" }] };
  cluster.setStatus(SERVICE, "default", "web", { loadBalancer });
  await clock.advance(60_000);
  const [made] = cluster.all(DNS_ENTRY);
  const dnsClass = made?.metadata.annotations?.["dns.gardener.cloud/class"];
  demand(dnsClass === "public", "an entry has not the class that it is to have");
  const { finalizers = [] } = made?.metadata ?? {};
  demand(finalizers.length === 0, "an entry waits for a process that does not serve it");
  await running.stop();
}

const LOAD_BALANCER = { type: "LoadBalancer" };

/** Owner ids of an object, of `--target-owner-id` and of the DNSProvider, in both ways. */
export async function proveOwnerIds(): Promise<void> {
  for (const publishing of ["entries", "direct"] as const) {
    const plain = await ownerOf({ publishing });
    demand(plain === "me", `${publishing}: a record has an id that nobody named`);
    const inherited = await ownerOf({ publishing, ofProvider: "team" });
    demand(inherited === "team", `${publishing}: the id of a DNSProvider has no effect`);
    const own = await ownerOf({ publishing, ofProvider: "team", ofService: "shop" });
    demand(own !== "team", `${publishing}: a DNSProvider comes before the object`);
    demand(own === "shop", `${publishing}: the id of an object has no effect`);
    const all = await ownerOf({ publishing, ofService: "shop", targetOwnerId: "all" });
    demand(all === "all", `${publishing}: --target-owner-id has no effect`);
  }
}

/** What generated entries carry (`--target-realms`, `--target-set-ignore-owners`). */
export function proveMarks(): void {
  const marked = (annotations: Annotations, targetNamespace: string | null = null): Annotations =>
    markAnnotations(
      {
        marks: { realms: "a", ignoreOwners: true, labels: {} },
        scope: {
          ...{ kind: SERVICE, cluster: "c", targetCluster: "c", targetNamespace },
          aliases: new Map(),
        },
        object: objectOf("v1", "Service", "web", { metadata: { annotations, uid: "u" } }),
        found: { items: [] },
      },
      DEFAULT_CLASS,
    );
  demand(marked({})[REALMS] === "a", "--target-realms has no effect");
  demand(marked({ [REALMS]: "b" })[REALMS] === "b", "--target-realms comes before the object");
  demand(marked({}, "dns")[IGNORE] === "true", "owners decide although they are to be ignored");
  demand(marked({})[IGNORE] === undefined, "an entry beside its object says who may use what");
}
