/**
 * The addresses behind a Service: discovery.k8s.io/v1 EndpointSlice, which has a part of them, and
 * core/v1 Endpoints. Plain storage: no controller fills them in here, and of Endpoints only what is
 * checked or defaulted is listed (ADR 0104).
 */
import { ENDPOINT_SLICE, ENDPOINTS } from "../../objects/kinds.ts";
import { missing } from "../errors/api-error.ts";
import { listAt, textAt, valueAt } from "../json/json.ts";
import { AGE_COLUMN, column, columnAt, NAME_COLUMN, shortList } from "../objects/columns.ts";
import type { StoredObject } from "../objects/served-kind.ts";
import { isIpv4, isIpv6 } from "../schema/schema-formats.ts";
import { builtInKind } from "./built-in-kind.ts";
import {
  address,
  all,
  atMost,
  distinct,
  immutable,
  named,
  oneOf,
  passes,
  portNumber,
  protocol,
  type Rule,
  when,
} from "./rules.ts";

const FQDN = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)+\.?$/;

/** The addresses of a slice are of its type. */
const addressesOf = (type: string, test: (text: string) => boolean, what: string): Rule =>
  when(
    (slice) => slice["addressType"] === type,
    passes(
      "endpoints[].addresses[]",
      (value) => typeof value === "string" && test(value),
      `must be a ${what}`,
    ),
  );

const haveAddresses: Rule = (slice) =>
  listAt(slice, "endpoints").flatMap((each, index) =>
    listAt(each, "addresses").length > 0
      ? []
      : [missing(`endpoints[${index}].addresses`, "must contain at least 1 address")],
  );

/** Slices; columns as `printEndpointSlice` of kubernetes pkg/printers/internalversion. */
export const ENDPOINT_SLICE_KIND = builtInKind(ENDPOINT_SLICE, {
  generation: "counted",
  columns: [
    NAME_COLUMN,
    columnAt("AddressType", ".addressType"),
    column("Ports", (slice) => shortList(listAt(slice, "ports").map(portText), "<unset>")),
    column("Endpoints", (slice) =>
      shortList(
        listAt(slice, "endpoints").flatMap((each) => listAt(each, "addresses").map(String)),
        "<unset>",
      ),
    ),
    AGE_COLUMN,
  ],
  // discovery/validation `ValidateEndpointSlice`.
  check: all(
    oneOf("addressType", ["FQDN", "IPv4", "IPv6"]),
    atMost("endpoints", 1000),
    haveAddresses,
    atMost("endpoints[].addresses", 100),
    addressesOf("IPv4", isIpv4, "valid IPv4 address"),
    addressesOf("IPv6", isIpv6, "valid IPv6 address"),
    addressesOf("FQDN", (text) => FQDN.test(text), "fully qualified domain name"),
    atMost("ports", 20_000),
    protocol("ports[].protocol"),
    portNumber("ports[].port"),
    // The empty name counts as a name: two ports cannot both have it.
    distinct("ports[].name", (name) => name ?? null),
    immutable("addressType"),
  ),
});

/** Number, else name, else all. */
function portText(port: unknown): string {
  const number = valueAt(port, "port");
  return typeof number === "number" ? String(number) : textAt(port, "name") || "*";
}

const DETAIL = "must specify `addresses` or `notReadyAddresses`";
const hasAddresses: Rule = (endpoints) =>
  listAt(endpoints, "subsets").flatMap((each, index) =>
    [...listAt(each, "addresses"), ...listAt(each, "notReadyAddresses")].length > 0
      ? []
      : [missing(`subsets[${index}]`, DETAIL)],
  );

/** Endpoints; columns as `printEndpoints` of kubernetes pkg/printers/internalversion. */
export const ENDPOINTS_KIND = builtInKind(ENDPOINTS, {
  shortNames: ["ep"],
  columns: [NAME_COLUMN, column("Endpoints", (each) => shortList(shown(each))), AGE_COLUMN],
  // core/validation `ValidateEndpoints`.
  check: all(
    hasAddresses,
    address("subsets[].addresses[].ip"),
    address("subsets[].notReadyAddresses[].ip"),
    // Two ports of a subset may have one name; Kubernetes compares those of slices only.
    named("subsets[].ports"),
    portNumber("subsets[].ports[].port"),
    protocol("subsets[].ports[].protocol"),
  ),
});

/** `192.0.2.1:80`, `[2001:db8::1]:80`; the address alone where a subset has no ports. */
function shown(endpoints: StoredObject): readonly string[] {
  return listAt(endpoints, "subsets").flatMap((each) => {
    const addresses = listAt(each, "addresses").map((one) => textAt(one, "ip"));
    const ports = listAt(each, "ports").map((one) => String(valueAt(one, "port")));
    const hosts = addresses.map((ip) => (ip.includes(":") ? `[${ip}]` : ip));
    if (ports.length === 0) return addresses;
    return ports.flatMap((port) => hosts.map((host) => `${host}:${port}`));
  });
}
