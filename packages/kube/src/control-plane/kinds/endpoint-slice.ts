/** discovery.k8s.io/v1 EndpointSlice: a part of the addresses behind a Service. Plain storage. */

import { ENDPOINT_SLICE } from "../../objects/kinds.ts";
import { missing } from "../errors/field-errors.ts";
import { listAt, textAt, valueAt } from "../json/json.ts";
import { AGE_COLUMN, column, columnAt, NAME_COLUMN, shortList } from "../objects/columns.ts";
import { isIpv4, isIpv6 } from "../schema/address-rules.ts";
import { builtInKind } from "./built-in-kind.ts";
import {
  all,
  atMost,
  distinct,
  immutable,
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

const hasAddresses: Rule = (slice) =>
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
    hasAddresses,
    atMost("endpoints[].addresses", 100),
    addressesOf("IPv4", isIpv4, "valid IPv4 address"),
    addressesOf("IPv6", isIpv6, "valid IPv6 address"),
    addressesOf("FQDN", (text) => FQDN.test(text), "fully qualified domain name"),
    atMost("ports", 20_000),
    protocol("ports[].protocol"),
    portNumber("ports[].port"),
    distinct("ports[].name", (name) => name ?? null),
    immutable("addressType"),
  ),
});

/** Number, else name, else all. */
function portText(port: unknown): string {
  const number = valueAt(port, "port");
  return typeof number === "number" ? String(number) : textAt(port, "name") || "*";
}
