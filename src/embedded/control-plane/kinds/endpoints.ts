/** core/v1 Endpoints: the addresses behind a Service. Plain storage: nobody fills them in here. */
import { ENDPOINTS } from "../../../model/kinds.ts";
import type { FieldError } from "../errors/api-error.ts";
import { listAt, textAt, valueAt } from "../json/json.ts";
import { AGE_COLUMN, column, NAME_COLUMN } from "../objects/columns.ts";
import { PLAIN_KIND, type ServedKind, type StoredObject } from "../objects/served-kind.ts";
import { checkIpAddress, checkPortNumber, checkProtocol } from "../schema/address-rules.ts";
import { integer, list, object, text } from "../schema/schema.ts";
import { OBJECT_REFERENCE } from "./references.ts";

const address = object(
  "One address.",
  {
    ip: text("IP address."),
    hostname: text("Host name of a headless Service's pod."),
    nodeName: text("The node that has the address."),
    targetRef: OBJECT_REFERENCE,
  },
  { required: ["ip"], "x-kubernetes-map-type": "atomic" },
);

const port = object(
  "One port.",
  {
    name: text("Name; needed when there are several."),
    port: integer("Port number.", { format: "int32" }),
    protocol: text("TCP, UDP or SCTP.", { default: "TCP" }),
    appProtocol: text("Application protocol, as a hint."),
  },
  { required: ["port"], "x-kubernetes-map-type": "atomic" },
);

const subset = object("Addresses with the same ports.", {
  addresses: list("Those that are ready.", address),
  notReadyAddresses: list("Those that are not.", address),
  ports: list("Their ports.", port),
});

/**
 * The addresses of a Service; columns as `printEndpoints` of kubernetes
 * pkg/printers/internalversion.
 */
export const ENDPOINTS_KIND: ServedKind = {
  ...PLAIN_KIND,
  ref: ENDPOINTS,
  singular: "endpoints",
  shortNames: ["ep"],
  schema: object("Addresses behind a Service.", { subsets: list("All addresses.", subset) }),
  columns: [NAME_COLUMN, column("Endpoints", shownAddresses), AGE_COLUMN],
  check: checkEndpoints,
};

/** Addresses that one cell shows; the rest is counted. */
const SHOWN_MAX = 3;

/** `192.0.2.1:80,192.0.2.2:80 + 4 more...`. */
function shownAddresses(endpoints: StoredObject): string {
  const subsets = listAt(endpoints, "subsets");
  if (subsets.length === 0) return "<none>";
  const all = subsets.flatMap((each) => {
    const addresses = listAt(each, "addresses").map((one) => textAt(one, "ip"));
    const ports = listAt(each, "ports").map((one) => String(valueAt(one, "port")));
    if (ports.length === 0) return addresses;
    return ports.flatMap((number) => addresses.map((ip) => hostAndPort(ip, number)));
  });
  const shown = all.slice(0, SHOWN_MAX).join(",");
  return all.length > SHOWN_MAX ? `${shown} + ${all.length - SHOWN_MAX} more...` : shown;
}

/** IPv6 addresses stand in brackets. */
const hostAndPort = (ip: string, port: string): string =>
  ip.includes(":") ? `[${ip}]:${port}` : `${ip}:${port}`;

/** core/validation `ValidateEndpoints`. */
function checkEndpoints(endpoints: StoredObject): readonly FieldError[] {
  return listAt(endpoints, "subsets").flatMap((each, index) => {
    const where = `subsets[${index}]`;
    const ready = listAt(each, "addresses");
    const waiting = listAt(each, "notReadyAddresses");
    const ports = listAt(each, "ports");
    const empty: readonly FieldError[] =
      ready.length + waiting.length > 0
        ? []
        : [
            {
              field: where,
              reason: "FieldValueRequired",
              detail: "must specify `addresses` or `notReadyAddresses`",
            },
          ];
    return [
      ...empty,
      ...ready.flatMap((one, at) =>
        checkIpAddress(textAt(one, "ip"), `${where}.addresses[${at}].ip`),
      ),
      ...waiting.flatMap((one, at) =>
        checkIpAddress(textAt(one, "ip"), `${where}.notReadyAddresses[${at}].ip`),
      ),
      ...ports.flatMap((one, at) => checkPort(one, `${where}.ports[${at}]`, ports.length > 1)),
    ];
  });
}

function checkPort(port: unknown, field: string, isNameNeeded: boolean): readonly FieldError[] {
  const errors = [
    ...checkPortNumber(valueAt(port, "port"), `${field}.port`),
    ...checkProtocol(textAt(port, "protocol"), `${field}.protocol`),
  ];
  if (!isNameNeeded || textAt(port, "name") !== "") return errors;
  return [{ field: `${field}.name`, reason: "FieldValueRequired", detail: "" }, ...errors];
}
