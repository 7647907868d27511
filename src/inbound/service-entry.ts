/**
 * The ServiceEntry (Istio) that the import writes for a host. Its name is computed from zone and
 * host alone, so that a changed host changes its object: of two objects with one host, Istio uses
 * the older. Pure.
 */
import type { KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import { fieldsOf, listOf, textOf } from "@zonekeeper/kube/objects/object-fields";
import { isIpAddress } from "../model/addresses.ts";
import { fingerprint64 } from "../model/fingerprint.ts";
import { BASE_ANNOTATION, ORIGIN_LABEL } from "../model/imports.ts";
import type { ImportedHost } from "./imported-hosts.ts";

const MANAGED_BY = "app.kubernetes.io/managed-by";
const ZONE = "zonekeeper.dev/zone";
const HOST = "zonekeeper.dev/host";
const CAME_FROM = "zonekeeper.dev/came-from";
/** Label: `false` keeps Istio from giving the host an address of its own. */
const AUTOALLOCATE = "networking.istio.io/enable-autoallocate-ip";
const SLUG_MAX = 54;

/** The fields of a ServiceEntry that this program writes; others may add further ones. */
export interface OwnFields {
  readonly metadata: {
    readonly name: string;
    readonly namespace: string;
    readonly labels: Readonly<Record<string, string>>;
    readonly annotations: Readonly<Record<string, string>>;
  };
  readonly spec: Readonly<Record<string, unknown>>;
}

/**
 * The fields of the object for a host. TCP ports need `addresses`: there is no host name to route
 * by.
 */
export function serviceEntryOf(
  zone: string,
  namespace: string,
  { host, endpoints, ports, cameFrom }: ImportedHost,
): OwnFields {
  const isStatic = endpoints.every(({ address }) => isIpAddress(address));
  const hasTcp = ports.some(({ protocol }) => protocol === "TCP");
  const spec = {
    hosts: [host],
    location: "MESH_EXTERNAL",
    resolution: isStatic ? "STATIC" : "DNS",
    ports,
    endpoints,
    ...(isStatic && hasTcp ? { addresses: endpoints.map(({ address }) => address) } : {}),
  };
  return {
    metadata: {
      name: nameOf(zone, host),
      namespace,
      labels: {
        [MANAGED_BY]: "zonekeeper",
        [ORIGIN_LABEL]: "dns",
        ...(isStatic && hasTcp ? { [AUTOALLOCATE]: "false" } : {}),
      },
      annotations: {
        [ZONE]: zone,
        [HOST]: host,
        ...(cameFrom === null ? {} : { [CAME_FROM]: cameFrom }),
        [BASE_ANNOTATION]: fingerprint64(JSON.stringify(spec)),
      },
    },
    spec,
  };
}

function nameOf(zone: string, host: string): string {
  const slug = host.replaceAll(".", "-").slice(0, SLUG_MAX).replace(/-+$/, "");
  return `${slug}-${fingerprint64(`${zone}|${host}`).slice(0, 8)}`;
}

/** True = this import made the object. A copy under another name is not its own. */
export function isOfImport(
  { metadata }: KubeObject,
  { zone, namespace }: { readonly zone: string; readonly namespace: string },
): boolean {
  const { name, labels = {}, annotations = {} } = metadata;
  return (
    metadata.namespace === namespace &&
    labels[ORIGIN_LABEL] === "dns" &&
    annotations[ZONE] === zone &&
    name === nameOf(zone, annotations[HOST] ?? "")
  );
}

/** The hosts that the object lists, in lower case, as Istio compares them. */
export function hostsOf(object: KubeObject): readonly string[] {
  const hosts = listOf(fieldsOf(object["spec"])["hosts"]) ?? [];
  return hosts.flatMap((host) => textOf(host)?.toLowerCase() ?? []);
}

/** The host that the object was made for; empty = none. */
export function importedHostOf({ metadata }: KubeObject): string {
  return metadata.annotations?.[HOST] ?? "";
}
