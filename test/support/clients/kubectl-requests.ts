/**
 * What kubectl 1.32 asks of an API server, asked without starting it, which costs 64 ms of CPU:
 * for objects that tests write as JSON and kinds that they use most. What is more than a request
 * or two, or refused, is for kubectl: the answer is null.
 */
import type { HttpsCaller } from "../api-servers/https-caller.ts";
import { eventually } from "../ports/eventually.ts";
import type { SeenObject } from "../programs/user-session.ts";

const LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration";
const GARDENER = "dns.gardener.cloud/v1alpha1";

type Fields = Readonly<Record<string, unknown>>;

interface Kind {
  /** As tests call it, besides its plural. */
  readonly names: readonly string[];
  readonly apiVersion: string;
  readonly kind: string;
  readonly plural: string;
  /** A change is a merge of fields: Kubernetes' own kinds merge some lists by a key. */
  readonly isCustom?: true;
  readonly isOfCluster?: true;
}

const custom = (apiVersion: string, kind: string, ...names: readonly string[]): Kind => ({
  ...{ names, apiVersion, kind, plural: `${kind.toLowerCase()}s`, isCustom: true },
});

const KINDS: readonly Kind[] = [
  { names: ["svc", "service"], apiVersion: "v1", kind: "Service", plural: "services" },
  { names: ["secret"], apiVersion: "v1", kind: "Secret", plural: "secrets" },
  { names: ["event"], apiVersion: "v1", kind: "Event", plural: "events" },
  {
    ...{ names: ["ing", "ingress"], apiVersion: "networking.k8s.io/v1" },
    ...{ kind: "Ingress", plural: "ingresses" },
  },
  { ...custom(GARDENER, "DNSEntry", "dnse", "dnsentry"), plural: "dnsentries" },
  custom(GARDENER, "DNSProvider", "dnspr", "dnsprovider"),
  custom(GARDENER, "DNSAnnotation", "dnsa", "dnsannotation"),
  { ...custom(GARDENER, "DNSOwner", "dnso", "dnsowner"), isOfCluster: true },
  custom("externaldns.k8s.io/v1alpha1", "DNSEndpoint", "dnsendpoint"),
];

/** The path of an object; null = an unknown kind. */
export function pathOf(name: string, namespace: string, object: string): string | null {
  const kind = kindOf(name);
  return kind === undefined ? null : path(kind, namespace, object);
}

function kindOf(name: string): Kind | undefined {
  return KINDS.find(({ names, plural }) => plural === name || names.includes(name));
}

function path(kind: Kind, namespace: string | null, object = ""): string {
  const { apiVersion, plural, isOfCluster } = kind;
  const root = apiVersion === "v1" ? "/api/v1" : `/apis/${apiVersion}`;
  const within = isOfCluster || namespace === null ? root : `${root}/namespaces/${namespace}`;
  return `${within}/${plural}${object === "" ? "" : `/${object}`}`;
}

/** `kubectl apply -f -` of objects, one a line; null = none of them was written. */
export async function applyLines(caller: HttpsCaller, text: string): Promise<string | null> {
  const objects = parsedLines(text);
  if (objects === null) return null;
  const printed: string[] = [];
  for (const { kind, object } of objects) {
    const did = (await create(caller, kind, object)) ?? (await change(caller, kind, object));
    // What went before is as kubectl finds it then: unchanged.
    if (did === null) return null;
    const group = kind.apiVersion === "v1" ? "" : `.${kind.apiVersion.split("/")[0]}`;
    printed.push(`${kind.kind.toLowerCase()}${group}/${nameOf(object)} ${did}\n`);
  }
  return printed.join("");
}

interface Line {
  readonly kind: Kind;
  readonly object: Fields;
}

function parsedLines(text: string): readonly Line[] | null {
  try {
    const lines = text.split("\n").filter((line) => line.trim() !== "");
    return lines.map((line) => {
      const object = JSON.parse(line) as Fields;
      const isOfIt = (one: Kind): boolean =>
        one.apiVersion === object["apiVersion"] && one.kind === object["kind"];
      const kind = KINDS.find(isOfIt);
      if (kind === undefined || nameOf(object) === "") throw new Error(`for kubectl: ${line}`);
      return { kind, object: kind.isOfCluster ? object : withNamespace(object) };
    });
  } catch {
    return null;
  }
}

const metadataOf = (object: Fields): Fields => (object["metadata"] ?? {}) as Fields;
const nameOf = (object: Fields): string => String(metadataOf(object)["name"] ?? "");
const withNamespace = (object: Fields): Fields => ({
  ...object,
  metadata: { namespace: "default", ...metadataOf(object) },
});

function pathTo(kind: Kind, object: Fields, name = ""): string {
  return path(kind, String(metadataOf(object)["namespace"] ?? "default"), name);
}

/** With what was applied, as kubectl keeps it to know at the next time what went. */
function noted(object: Fields): Fields {
  const { annotations = {}, ...metadata } = metadataOf(object) as { readonly annotations?: Fields };
  const before = { ...object, metadata: { annotations, ...metadata } };
  const note = { [LAST_APPLIED]: `${JSON.stringify(before)}\n` };
  return { ...object, metadata: { ...metadata, annotations: { ...annotations, ...note } } };
}

const HOW = "fieldManager=kubectl-client-side-apply&fieldValidation=Strict";

function send(caller: HttpsCaller, method: string, to: string, type: string, body: Fields) {
  const headers = { "content-type": `application/${type}`, accept: "application/json" };
  return caller.call({ method, path: `${to}?${HOW}`, headers, body: JSON.stringify(body) });
}

async function create(caller: HttpsCaller, kind: Kind, object: Fields): Promise<string | null> {
  const { status } = await send(caller, "POST", pathTo(kind, object), "json", noted(object));
  return status === 201 ? "created" : null;
}

async function change(caller: HttpsCaller, kind: Kind, object: Fields): Promise<string | null> {
  if (kind.isCustom !== true) return null;
  const to = pathTo(kind, object, nameOf(object));
  const there = (await caller.json("GET", to).catch(() => null)) as Fields | null;
  const annotations = there === null ? {} : (metadataOf(there)["annotations"] as Fields);
  const last = annotations?.[LAST_APPLIED];
  if (typeof last !== "string") return null;
  const patch = withGone(JSON.parse(last) as Fields, noted(object));
  const { status } = await send(caller, "PATCH", to, "merge-patch+json", patch);
  return status === 200 ? "configured" : null;
}

/** A merge patch to `next` that takes away what only `last` has. */
function withGone(last: Fields, next: Fields): Fields {
  const gone = Object.keys(last).filter((key) => next[key] === undefined);
  const kept = Object.entries(next).map(([key, value]) => {
    const before = last[key];
    return [key, isMap(before) && isMap(value) ? withGone(before, value) : value];
  });
  return { ...Object.fromEntries(kept), ...Object.fromEntries(gone.map((key) => [key, null])) };
}

function isMap(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** `kubectl get KIND NAME -o json`; null = it is not there, or of another kind. */
export async function getObject(
  caller: HttpsCaller,
  kind: string,
  name: string,
): Promise<SeenObject | null> {
  const to = pathOf(kind, "default", name);
  return to === null ? null : seenAt(caller, to);
}

async function seenAt(caller: HttpsCaller, to: string): Promise<SeenObject | null> {
  const seen = (await caller.json("GET", to).catch(() => null)) as SeenObject | null;
  return seen && shown(seen);
}

/** Kubectl leaves out who wrote which field. */
function shown(seen: SeenObject): SeenObject {
  const { managedFields, ...metadata } = seen.metadata as SeenObject["metadata"] & Fields;
  return { ...seen, metadata };
}

/** `kubectl get KINDS -A -o json`; null = one of the kinds is unknown. */
export async function listObjects(
  caller: HttpsCaller,
  names: readonly string[],
): Promise<readonly SeenObject[] | null> {
  const kinds = names.flatMap((name) => kindOf(name) ?? []);
  if (kinds.length !== names.length) return null;
  const lists = kinds.map(async (of) => {
    const { items } = (await caller.json("GET", path(of, null))) as {
      readonly items: readonly SeenObject[];
    };
    return items.map((item) => shown({ ...item, kind: of.kind }));
  });
  return (await Promise.all(lists)).flat();
}

/** `kubectl delete`, until they are gone; false = kubectl is to do it, for all of them. */
export async function deleteObjects(
  caller: HttpsCaller,
  kind: string,
  names: readonly string[],
): Promise<boolean> {
  const paths = names.flatMap((name) => pathOf(kind, "default", name) ?? []);
  const uids = await Promise.all(paths.map((one) => uidAt(caller, one)));
  if (uids.length !== names.length || uids.includes(null)) return false;
  for (const one of paths) await caller.json("DELETE", one, { propagationPolicy: "Background" });
  for (const [index, one] of paths.entries())
    await eventually(
      `${one} is gone`,
      () => uidAt(caller, one),
      (uid) => uid !== uids[index],
    );
  return true;
}

/** Null = it is not there. */
async function uidAt(caller: HttpsCaller, to: string): Promise<string | null> {
  const { status, bytes } = await caller.call({ method: "GET", path: to });
  if (status === 404) return null;
  const { metadata } = JSON.parse(Buffer.from(bytes).toString("utf8")) as {
    readonly metadata: { readonly uid: string };
  };
  return metadata.uid;
}
