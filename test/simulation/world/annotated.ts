/** Users who publish Services through DNSAnnotations beside them (F25). */
import { SERVICE } from "@zonekeeper/kube/objects/kinds";
import type { KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import { fieldsOf, textOf } from "@zonekeeper/kube/objects/object-fields";
import { DNS_ANNOTATION } from "../../../src/model/kinds.ts";
import { wantedByBalancer } from "./desired-names.ts";
import { type ActContext, applyBalancer, NAMES } from "./users.ts";

const SERVICES = ["x0", "x1"];
/** A Service may have several. */
const ANNOTATIONS = ["d0", "d1", "d2"];
const NAMESPACE = "default";
const KEY = "dns.gardener.cloud/dnsnames";
const ADDRESS = "192.0.2.71";

/** A user makes, changes or removes a Service or a DNSAnnotation of one. */
export function annotateOne(context: ActContext): void {
  const { world, instance } = context;
  const { random } = world;
  const name = random.pick(SERVICES);
  const choice = random.below(8);
  if (choice === 0) removeService(context, name);
  else if (choice < 3) {
    const own = random.chance(0.5) ? [] : [random.pick(NAMES)];
    world.note(`${instance.owner}: apply service/${NAMESPACE}/${name} ${own.join(",")}`);
    // One that lists no name is a mistake and keeps what was there (Z-5).
    const annotations = own.length === 0 ? {} : { [KEY]: own.join(",") };
    applyBalancer(instance, { kind: SERVICE, name, annotations, hosts: [], address: ADDRESS });
  } else if (choice < 6) annotate(context, random.pick(ANNOTATIONS), name);
  else {
    const gone = random.pick(ANNOTATIONS);
    if (instance.cluster.now(DNS_ANNOTATION, NAMESPACE, gone) === null) return;
    world.note(`${instance.owner}: delete dnsannotation/${NAMESPACE}/${gone}`);
    instance.cluster.delete(DNS_ANNOTATION, NAMESPACE, gone);
  }
  for (const one of SERVICES) note(context, one);
}

/** Also of a Service that is not there, or of another one than before. */
function annotate({ world, instance }: ActContext, name: string, service: string): void {
  const { random } = world;
  const names = [...new Set([random.pick(NAMES), random.pick(NAMES)])];
  const resource = `dnsannotation/${NAMESPACE}/${name}`;
  world.note(`${instance.owner}: apply ${resource} of ${service} ${names.join(",")}`);
  instance.cluster.apply(DNS_ANNOTATION, {
    apiVersion: "dns.gardener.cloud/v1alpha1",
    kind: "DNSAnnotation",
    metadata: { namespace: NAMESPACE, name },
    spec: {
      resourceRef: { apiVersion: "v1", kind: "Service", name: service },
      annotations: { [KEY]: names.join(",") },
    },
  });
}

function removeService({ world, instance }: ActContext, name: string): void {
  if (instance.cluster.now(SERVICE, NAMESPACE, name) === null) return;
  const resource = `service/${NAMESPACE}/${name}`;
  world.note(`${instance.owner}: delete ${resource}`);
  instance.truth.deleted(resource);
  instance.cluster.delete(SERVICE, NAMESPACE, name);
}

/**
 * Tells the truth what the Service and its DNSAnnotations name together. What they name while there
 * is no Service counts as taken back: a process that sees them late may publish it all the same.
 */
function note({ instance: { cluster, truth } }: ActContext, name: string): void {
  const service = cluster.now(SERVICE, NAMESPACE, name);
  const annotating = cluster
    .all(DNS_ANNOTATION)
    .map(({ spec }) => fieldsOf(spec))
    .filter((spec) => fieldsOf(spec["resourceRef"])["name"] === name)
    .map((spec) => textOf(fieldsOf(spec["annotations"])[KEY]) ?? "");
  const names = [service === null ? "" : ownNames(service), ...annotating].flatMap((text) =>
    text.split(","),
  );
  const listed = [...new Set(names)].filter((one) => one !== "");
  const resource = `service/${NAMESPACE}/${name}`;
  const wanted = { resource, names: listed, address: ADDRESS, ttlSeconds: null };
  truth.applied(wantedByBalancer(wanted));
  if (service === null) truth.deleted(resource);
}

function ownNames({ metadata }: KubeObject): string {
  return metadata.annotations?.[KEY] ?? "";
}
