/**
 * The DNSProvider `embedded` and its Secret, by which the controllers of `dev` find its own name
 * server. They are made when they are missing, and corrected for the present port, zone and class.
 * Other fields that a person wrote there stay.
 */
import { OperationError } from "@zonekeeper/base/operation-error";
import type { SocketAddress } from "@zonekeeper/base/ports/net";
import { type DnsName, isAtOrBelow, parseDnsName } from "@zonekeeper/dns/names/dns-name";
import { SECRET } from "@zonekeeper/kube/objects/kinds";
import type { KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import { fieldsOf, textsOf } from "@zonekeeper/kube/objects/object-fields";
import type { ClusterWriter, ObjectRef } from "@zonekeeper/kube/ports/cluster-writer";
import { CLASS_ANNOTATION, classAnnotations, classOf } from "../../../model/dns-class.ts";
import { DNS_PROVIDER } from "../../../model/kinds.ts";
import { addressText } from "../../ports/system-error.ts";
import type { Identity } from "./identity.ts";

/** Name of both objects, in the namespace `default`. */
export const EMBEDDED = "embedded";

/** The facts of the name server that the controllers need. */
export interface EmbeddedServer {
  readonly at: SocketAddress;
  readonly zone: DnsName;
  /** Class of the objects that the controllers serve. */
  readonly dnsClass: string;
  readonly tsig: Identity["tsig"];
}

/** Makes what is missing and corrects the Secret. Rejects with OperationError. */
export async function ensureEmbeddedProvider(
  writer: ClusterWriter,
  server: EmbeddedServer,
): Promise<void> {
  await ensureSecret(writer, server);
  const ref = refTo(DNS_PROVIDER);
  const present = await writer.read(ref);
  if (present !== null) {
    const patch = correctionOf(present, server);
    if (patch !== null) await writer.patch(ref, patch);
    return;
  }
  const annotations = classAnnotations(server.dnsClass);
  await createOnce(writer, ref, {
    apiVersion: "dns.gardener.cloud/v1alpha1",
    kind: "DNSProvider",
    metadata: { name: EMBEDDED, namespace: "default", annotations },
    spec: { type: "rfc2136", secretRef: { name: EMBEDDED }, domains: { include: [server.zone] } },
  });
}

/**
 * The correction for another `--zone` or `--dns-class` than at the last start; null = none is
 * needed.
 */
function correctionOf(
  provider: KubeObject,
  { zone, dnsClass }: EmbeddedServer,
): Readonly<Record<string, unknown>> | null {
  const isOfClass = classOf(provider) === dnsClass;
  const include = textsOf(fieldsOf(fieldsOf(provider["spec"])["domains"])["include"]) ?? [];
  const domains = include.map(parseDnsName);
  const isServed =
    include.length === 0 || domains.some((one) => one.ok && isAtOrBelow(one.value, zone));
  if (isOfClass && isServed) return null;
  const annotation = classAnnotations(dnsClass)[CLASS_ANNOTATION] ?? null;
  return {
    ...(isOfClass ? {} : { metadata: { annotations: { [CLASS_ANNOTATION]: annotation } } }),
    ...(isServed ? {} : { spec: { domains: { include: [...include, zone] } } }),
  };
}

async function ensureSecret(writer: ClusterWriter, server: EmbeddedServer): Promise<void> {
  const data = secretData(server);
  const ref = refTo(SECRET);
  const present = await writer.read(ref);
  if (present === null) {
    const metadata = { name: EMBEDDED, namespace: "default" };
    await createOnce(writer, ref, { apiVersion: "v1", kind: "Secret", metadata, data });
    return;
  }
  const current = fieldsOf(present["data"]);
  if (Object.entries(data).every(([key, value]) => current[key] === value)) return;
  await writer.patch(ref, { data });
}

/** Keys as Gardener's rfc2136 provider has them. */
function secretData({ at, zone, tsig }: EmbeddedServer): Readonly<Record<string, string>> {
  const texts = {
    ...{ Server: addressText(at), Zone: `${zone}.`, TSIGKeyName: `${tsig.name}.` },
    ...{ TSIGSecret: tsig.secretBase64, TSIGSecretAlgorithm: tsig.algorithm },
  };
  return Object.fromEntries(
    Object.entries(texts).map(([key, text]) => [key, Buffer.from(text).toString("base64")]),
  );
}

function refTo(kind: ObjectRef["kind"]): ObjectRef {
  return { kind, namespace: "default", name: EMBEDDED };
}

/** Creates the object; one that somebody created in between is accepted. */
async function createOnce(
  writer: ClusterWriter,
  ref: ObjectRef,
  object: KubeObject,
): Promise<void> {
  try {
    await writer.create(ref.kind, object);
  } catch (error) {
    if (!(error instanceof OperationError) || error.code !== "AlreadyExists") throw error;
  }
}
