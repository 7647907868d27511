/**
 * Ports of a ServiceEntry → SRV records of its hosts, where the annotation asks for them: port
 * `https` of HOST is `_https._tcp.HOST` (RFC 2782), which an import reads back. A label begins with
 * the protocol, as Istio's names of ports do.
 */
import { type DnsName, isWildcard, parseDnsName } from "@zonekeeper/dns/names/dns-name";
import { canonicalValues } from "@zonekeeper/dns/rdata/index";
import { type Fields, fieldsOf, listOf, textOf } from "@zonekeeper/kube/objects/object-fields";
import { portOf } from "../../model/imports.ts";
import { quoted } from "../shared/read-name.ts";
import type { TypedValues } from "../shared/targets.ts";

/** What the ports ask for. */
export interface PortServices {
  /** The host of each SRV record, and the port at its address; by name. */
  readonly byName: ReadonlyMap<DnsName, { readonly host: DnsName; readonly port: number }>;
  /** Why some ports have no record. */
  readonly remarks: readonly string[];
}

const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,60}[a-z0-9])?$/;
/** Ports and hosts multiply. */
const SERVICES_MAX = 1_000;

/** `isOfEndpoints`: the hosts have the addresses of endpoints, which may listen elsewhere. */
export function portServices(
  spec: Fields,
  hosts: readonly DnsName[],
  isOfEndpoints: boolean,
): PortServices {
  const byName = new Map<DnsName, { readonly host: DnsName; readonly port: number }>();
  const remarks = new Set<string>();
  const endpoints = isOfEndpoints ? (listOf(spec["endpoints"]) ?? []).map(fieldsOf) : [];
  for (const port of (listOf(spec["ports"]) ?? []).map(fieldsOf)) {
    const label = labelOf(port);
    const number = numberOf(port, endpoints);
    const what = `the port ${quoted(textOf(port["name"]) ?? "")}`;
    if (label === null) remarks.add(`${what} is no label; use letters, digits and -`);
    if (number === null)
      remarks.add(`${what} has not one number from 1 to 65535 at all endpoints; give it one`);
    if (label === null || number === null) continue;
    for (const host of hosts.filter((one) => !isWildcard(one))) {
      const name = parseDnsName(`${label}.${host}`);
      if (name.ok && byName.has(name.value))
        remarks.add(`${what} has the SRV record of another one, ${name.value}; rename it`);
      else if (name.ok && byName.size < SERVICES_MAX)
        byName.set(name.value, { host, port: number });
      else
        remarks.add(
          `${what} of ${host} has no SRV record: the name is too long, or one of more than ${SERVICES_MAX}`,
        );
    }
  }
  return { byName, remarks: [...remarks] };
}

/** Null = no label can say its name and protocol. */
function labelOf(port: Fields): string | null {
  const name = textOf(port["name"]) ?? "";
  const protocol = (textOf(port["protocol"]) ?? portOf(name, 0).protocol).toUpperCase();
  const label = portOf(name, 0).protocol === protocol ? name : `${protocol.toLowerCase()}-${name}`;
  return LABEL.test(label) ? `_${label}._${protocol === "UDP" ? "udp" : "tcp"}` : null;
}

/** That of each endpoint, else `targetPort`, else its own; null = they differ, or it is none. */
function numberOf(port: Fields, endpoints: readonly Fields[]): number | null {
  const { name, number, targetPort } = port;
  const own = endpoints.map(
    ({ ports }) => fieldsOf(ports)[textOf(name) ?? ""] ?? targetPort ?? number,
  );
  const [first, ...others] = new Set(own.length === 0 ? [number] : own);
  const isPort = Number.isInteger(first) && Number(first) > 0 && Number(first) < 65_536;
  return isPort && others.length === 0 ? Number(first) : null;
}

/** The record at `host`, or at what it is an alias of: the target of an SRV record is no alias. */
export function serviceRecord(
  { host, port }: { readonly host: DnsName; readonly port: number },
  ofHost: readonly TypedValues[],
): readonly TypedValues[] {
  if (ofHost.length === 0) return [];
  const alias = ofHost.find(({ type, isLookedUp }) => type === "CNAME" && isLookedUp !== true);
  return [{ type: "SRV", values: canonicalValues([`0 0 ${port} ${alias?.values[0] ?? host}`]) }];
}
