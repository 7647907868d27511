/**
 * core/v1 Endpoints: the addresses behind a Service. Plain storage: no controller fills them in
 * here, and only what is checked or defaulted is listed (ADR 0104).
 */

import { ENDPOINTS } from "../../objects/kinds.ts";
import { missing } from "../errors/field-errors.ts";
import { listAt, textAt, valueAt } from "../json/json.ts";
import { AGE_COLUMN, column, NAME_COLUMN, shortList } from "../objects/columns.ts";
import type { StoredObject } from "../objects/served-kind.ts";
import { builtInKind } from "./built-in-kind.ts";
import { address, all, named, portNumber, protocol, type Rule } from "./rules.ts";

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
