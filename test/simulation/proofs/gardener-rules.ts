/**
 * Rules of DNSAnnotations, references, quotas, classes and statuses that are carried back, each
 * shown by the smallest case that it decides. Throws at the first one that is broken.
 */
import { OperationError } from "@zonekeeper/base/operation-error";
import type { KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import { fieldsOf } from "@zonekeeper/kube/objects/object-fields";
import { MainClass, type MainClassPorts } from "../../../src/controllers/objects/main-class.ts";
import { Admission } from "../../../src/controllers/zone-choice/admission.ts";
import type { ProviderFacts } from "../../../src/controllers/zone-choice/provider-facts.ts";
import type { Selection } from "../../../src/controllers/zone-choice/select-provider.ts";
import { isAnnotatedBy, mergeAnnotations } from "../../../src/model/dns-annotation.ts";
import { DNS_ANNOTATION, DNS_ENTRY } from "../../../src/model/kinds.ts";
import { CarriedStatus } from "../../../src/source-controllers/entries/carried-status.ts";
import { UndoneChanges } from "../../../src/source-controllers/entries/undone-changes.ts";
import { withReference } from "../../../src/sources/gardener/entry-reference.ts";
import { openSource } from "../../../src/sources/index.ts";
import { VirtualClock } from "../../support/ports/virtual-clock.ts";
import { DEFAULT_CLASSES } from "../../support/worlds/default-classes.ts";
import { MemoryCluster } from "../../support/worlds/memory-cluster.ts";
import { demand } from "./demand.ts";

const API = "dns.gardener.cloud/v1alpha1";
const NAMES = "dns.gardener.cloud/dnsnames";
const TTL = "dns.gardener.cloud/ttl";
const ROUTING = "dns.gardener.cloud/routing-policy";
const OWNER_ID = "dns.gardener.cloud/owner-id";
const REALMS = "dns.gardener.cloud/realms";
const FORMER = "zonekeeper.dev/former-class";
const CLASS = "dns.gardener.cloud/class";

function objectOf(kind: string, metadata: object, fields: object = {}): KubeObject {
  const named = { name: "web", namespace: "a", ...metadata };
  return { apiVersion: kind === "Service" ? "v1" : API, kind, metadata: named, ...fields };
}

/** ADR 0048. */
export function proveAnnotations(): void {
  const annotation = (name: string, year: number, annotations: object, ref: object = {}) => {
    const resourceRef = { apiVersion: "v1", kind: "Service", name: "web", ...ref };
    const creationTimestamp = `${year}-01-01T00:00:00Z`;
    return objectOf(
      "DNSAnnotation",
      { name, creationTimestamp },
      { spec: { resourceRef, annotations } },
    );
  };
  const all = [
    annotation("a", 2022, { [TTL]: "60", [REALMS]: "mine" }),
    annotation("b", 2021, { [NAMES]: "b.example.org", [TTL]: "90" }),
  ];
  const merged = (annotations: Readonly<Record<string, string>>) =>
    mergeAnnotations(objectOf("Service", { annotations }), all).annotated.metadata.annotations ??
    {};
  const named = merged({ [NAMES]: "a.example.org", [TTL]: "30" });
  demand(named[NAMES] === "a.example.org,b.example.org", "names are not the union");
  demand(named[TTL] === "30", "a DNSAnnotation comes before its object");
  demand(merged({})[TTL] === "90", "a younger DNSAnnotation comes before an older one");
  demand(named[REALMS] === undefined, "a DNSAnnotation gives its object realms");
  const reached = (one: KubeObject) => isAnnotatedBy(objectOf("Service", {}), one);
  demand(reached(annotation("c", 2021, {})), "a DNSAnnotation does not reach its object");
  const foreign = annotation("d", 2021, {}, { namespace: "b" });
  demand(!reached(foreign), "a DNSAnnotation reaches another namespace");
}

/** Z-5 of the names annotation, by what may be removed of the object. */
export function proveMistypedNames(): void {
  const options = { dnsClasses: DEFAULT_CLASSES, targetNamespace: null };
  const foundOf = (kind: "Service" | "Ingress", annotations: object, more?: object) => {
    const cluster = new MemoryCluster("c");
    const apiVersion = kind === "Service" ? "v1" : "networking.k8s.io/v1";
    const spec = { type: "LoadBalancer", rules: [{ host: "a.example.org" }] };
    const resourceRef = { apiVersion, kind, name: "web" };
    const annotation = { spec: { resourceRef, annotations: more } };
    if (more !== undefined)
      cluster.apply(DNS_ANNOTATION, objectOf("DNSAnnotation", { name: "x" }, annotation));
    const source = openSource(kind === "Service" ? "service-dns" : "ingress-dns", options);
    const object = { ...objectOf(kind, { annotations }, { spec }), apiVersion };
    return source.endpoints(object, cluster);
  };
  const ends = (...given: Parameters<typeof foundOf>) => foundOf(...given).complete;
  const misspelt = { "dns.gardener.cloud/dnsname": "a.example.org" };
  demand(ends("Service", { [NAMES]: "a.example.org" }), "a Service never gives a name up");
  demand(!ends("Service", { [NAMES]: "*" }), "* on a Service removes its records");
  for (const none of ["", " ", ","])
    demand(!ends("Service", { [NAMES]: none }), "an annotation without a name removes records");
  demand(!ends("Service", misspelt), "a slip of the key removes records");
  const prefix = { "dns.gardner.cloud/dnsnames": "a.example.org" };
  demand(!ends("Service", prefix), "a slip of the prefix removes records");
  const foreign = { "cert.gardener.cloud/dnsnames": "a.example.org" };
  demand(ends("Service", foreign), "another program's annotation keeps records");
  const silent = ends("Service", { [NAMES]: "a.example.org" }, {});
  demand(!silent, "a DNSAnnotation that says nothing ends names");
  demand(!ends("Service", {}, misspelt), "a slip of the key in a DNSAnnotation removes records");
  for (const key of [TTL, ROUTING, OWNER_ID]) {
    const mistyped = ends("Service", { [NAMES]: "a.example.org", [key]: "{ x" });
    demand(!mistyped, `a mistyped ${key} ends names`);
    const nameless = ends("Service", { [key]: "{ x" });
    demand(nameless, `a mistyped ${key} keeps names that nobody lists`);
  }
  demand(ends("Ingress", { [NAMES]: "a.example.org" }), "an Ingress never gives a name up");
  demand(!ends("Ingress", { [NAMES]: "x.example.org" }), "an undeclared name removes others");
  demand(ends("Ingress", { [NAMES]: "*,x.example.org" }), "under * a host stays without its rule");
  const { waiting } = foundOf("Ingress", { [NAMES]: "*,x.example.org" });
  const isKept = waiting.some(({ name }) => name === "x.example.org");
  demand(isKept, "beside * an undeclared name loses its record");
}

/** `spec.reference`. */
export function proveReferences(): void {
  const cluster = new MemoryCluster("c");
  const put = (name: string, spec: object, namespace = "a") =>
    cluster.apply(DNS_ENTRY, objectOf("DNSEntry", { name, namespace }, { spec }));
  const read = (reference: object) => {
    const got = withReference({ namespace: "a", name: "x", spec: { reference } }, cluster);
    return got.ok ? String(got.value["targets"]) : got.error.message;
  };
  put("end", { targets: ["192.0.2.1"] });
  put("end", { targets: ["192.0.2.2"] }, "b");
  demand(read({ name: "end" }) === "192.0.2.1", "a reference gives nothing");
  put("loop", { reference: { name: "x" } });
  demand(read({ name: "loop" }).includes("form a loop"), "a loop of references is not seen");
  for (let at = 0; at < 11; at += 1) put(`r${at}`, { reference: { name: `r${at + 1}` } });
  put("r11", { targets: ["192.0.2.1"] });
  demand(read({ name: "r0" }).startsWith("more than"), "a chain of references has no end");
  const foreign = read({ name: "end", namespace: "b" });
  demand(foreign.includes("its own (a) only"), "a reference reaches another namespace");
}

/** Quotas and rate limits of DNSProviders. */
export function proveAdmission(): void {
  const limits = { entriesMax: 1, rateLimit: { requestsPerDay: 1_440, burst: 1 } };
  const again: string[] = [];
  const judge = (facts: object) => {
    const admission = new Admission(new VirtualClock(), (entry) => void again.push(entry));
    // It reads nothing else of a provider and of a selection.
    const provider = { id: "a/p", entriesMax: null, rateLimit: null, ...facts } as ProviderFacts;
    const selection = { kind: "zone", provider } as Selection;
    const ask = (name: string, deletingSinceMs: number | null = null, annotations = {}) => {
      const key = { cluster: "c", kind: "dnsentry", namespace: "a", name };
      const status = { state: "", observedGeneration: null };
      const object = objectOf("DNSEntry", { name, annotations });
      const entry = { key, object, generation: 1, deletingSinceMs, status };
      return admission.judge(entry, selection).kind;
    };
    return Object.assign(ask, { forget: (name: string) => admission.forget(`a/${name}`) });
  };
  const full = judge({ entriesMax: limits.entriesMax });
  demand(full("x") === "zone", "an empty quota takes nothing");
  demand(full("y") === "full", "a full quota takes an entry");
  demand(full("x") === "zone", "a full quota refuses what it has");
  full.forget("x");
  demand(again.join() === "a/y", "an entry waits although another one went");
  demand(full("y") === "zone", "an entry that is gone counts");
  const limited = judge({ rateLimit: limits.rateLimit });
  demand(limited("x") === "zone", "a rate limit takes nothing");
  demand(limited("y") === "throttled", "a rate limit takes everything at once");
  demand(limited("x") === "zone", "a change is counted twice");
  demand(limited("y", 1) === "zone", "a deletion waits for its rate limit");
  const free = limited("y", null, { "dns.gardener.cloud/not-rate-limited": "true" });
  demand(free === "zone", "an entry that is not rate limited waits");
  const limit = limited("y", null, { "dns.gardener.cloud/not-rate-limited": "false" });
  demand(limit === "throttled", "an entry that says false is not rate limited");
}

function mainClass(writer: MainClassPorts["writer"], notes: unknown[] = []): MainClass {
  const recorder = { record: (_: object, note: object) => void notes.push(note) };
  return new MainClass({ writer, recorder, kind: DNS_ENTRY, classes: ["new", "old"] });
}

/** Two lists of classes that contradict each other. */
export async function proveContestedClass(): Promise<void> {
  let patches = 0;
  const notes: unknown[] = [];
  const patch = async () => objectOf(`DNSEntry${patches++}`, {});
  const classes = mainClass({ patch }, notes);
  const entry = (former: string | null) => {
    const annotations = { [CLASS]: "old", ...(former && { [FORMER]: former }) };
    return objectOf("DNSEntry", { annotations, uid: "u" });
  };
  await classes.joins(entry("new"));
  demand(patches === 1, "an object is not taken back after the list was turned round");
  await classes.joins(entry("old"));
  demand(patches === 2, "an object is not taken again that a person moved back");
  demand(notes.length === 0 && classes.classesFor(entry("old")).length === 2, "a person contests");
  await classes.joins(entry("new"));
  demand(patches === 2, "two processes take an object from each other for ever");
  demand(notes.length === 1, "no Event says that two lists contradict each other");
  const served = classes.classesFor(entry("new"));
  demand(!served.includes("old"), "a contested object is served twice");
}

/** A list of classes. */
export async function proveMainClass(): Promise<void> {
  const old = "old.dns.gardener.cloud/compound";
  let trouble: Error | null = null;
  const join = async (dnsClass: string, more: object = {}): Promise<unknown> => {
    const patches: unknown[] = [];
    const writer = {
      patch: async (_: object, patch: object) => {
        patches.push(patch);
        if (trouble !== null) throw trouble;
        return objectOf("DNSEntry", {});
      },
    };
    const entry = objectOf("DNSEntry", { annotations: { [CLASS]: dnsClass }, ...more });
    await mainClass(writer).joins(entry);
    return patches[0];
  };
  const joined = JSON.stringify(await join("old", { finalizers: [old], resourceVersion: "7" }));
  demand(joined?.includes('"dns.gardener.cloud/class":"new"'), "an object joins no class");
  demand(joined.includes("new.dns.gardener.cloud"), "an object joins without its finalizer");
  demand(joined.includes('"resourceVersion":"7"'), "an object joins as it was not read");
  trouble = new OperationError({ code: "Conflict", message: "changed", retry: "backoff" });
  const changed = await join("old").catch(() => null);
  demand(changed !== null, "a changed object is an error");
  trouble = null;
  const other = await join("else");
  demand(other === undefined, "an object of another set of controllers is taken");
  const going = await join("old", { deletionTimestamp: "2030-01-01T00:00:00Z" });
  demand(going === undefined, "an object that is being deleted is written");
}

/** Copies of DNSEntries in another cluster. */
export async function proveCarriedStatus(): Promise<void> {
  const show = async (
    problems: readonly string[],
    copy: KubeObject | null,
    more: {
      readonly refused?: readonly string[];
      readonly status?: object;
      readonly finalizers?: readonly string[];
    } = {},
  ) => {
    const patches: unknown[] = [];
    const { refused = [], status = {}, finalizers = [] } = more;
    const object = objectOf("DNSEntry", { generation: 7, finalizers }, { status });
    const writer = {
      patchStatus: async (_: object, patch: object) => {
        patches.push(fieldsOf(patch)["status"]);
        return object;
      },
    };
    const carried = new CarriedStatus({ writer, clock: new VirtualClock(), kind: DNS_ENTRY });
    const all = problems.map((message) => ({ code: "InvalidTarget", subject: "a/web", message }));
    await carried.show({
      ...{ object, copy, left: [], refused },
      found: { items: [], waiting: [], problems: all, complete: true },
    });
    return fieldsOf(patches[0]);
  };
  const copyOf = (observedGeneration: number): KubeObject => {
    const status = { state: "Ready", provider: "dns/p", observedGeneration };
    return objectOf("DNSEntry", { generation: 2 }, { status });
  };
  demand((await show(["bad"], null))["state"] === "Invalid", "a mistake is not told");
  const stale = await show(["bad"], copyOf(2));
  demand(stale["state"] === "Stale", "a mistake hides that the record stands");
  const early = await show([], copyOf(1));
  demand(early["state"] === undefined, "a status about an earlier spec is shown");
  const shown = await show([], copyOf(2));
  demand(shown["state"] === "Ready", "the status of the copy is not shown");
  demand(shown["observedGeneration"] === 7, "the status is about the copy's spec");
  const { provider } = shown;
  demand(provider === "remote: dns/p", "a provider of another cluster passes for one of this");
  const served = await show([], copyOf(2), { finalizers: ["dns.gardener.cloud/compound"] });
  demand(served["state"] === undefined, "two write the status of one that is published");
  const refused = ["there is no namespace"];
  const none = await show([], null, { refused });
  demand(none["state"] === "Error", "a copy that cannot be made is not told");
  const former = await show([], null, { refused, status: { targets: ["192.0.2.1"] } });
  demand(former["state"] === "Stale", "a former record is hidden by a copy that cannot be made");
}

/** Two processes that write one status, or one entry, in turn. */
export async function provePaces(): Promise<void> {
  const clock = new VirtualClock();
  let writes = 0;
  const object = objectOf("DNSEntry", { generation: 7 }, { status: {} });
  const patchStatus = async () => {
    writes += 1;
    return object;
  };
  const carried = new CarriedStatus({ writer: { patchStatus }, clock, kind: DNS_ENTRY });
  const found = { items: [], waiting: [], problems: [], complete: true };
  const refused = ["there is no namespace"];
  for (let time = 0; time < 100; time += 1)
    await carried.show({ object, copy: null, left: [], refused, found });
  demand(writes < 20, "a status that another process overwrites is written without end");
  const undone = new UndoneChanges(clock);
  for (let time = 0; time < 5; time += 1) undone.made("a/web", { spec: { ttl: 60 } });
  demand(
    undone.waitMs("a/web", { spec: { ttl: 60 } }) > 0,
    "a change that another process undoes is made without end",
  );
  demand(
    undone.waitMs("a/web", { spec: { ttl: 90 } }) === 0,
    "another change waits for one that is undone",
  );
}
