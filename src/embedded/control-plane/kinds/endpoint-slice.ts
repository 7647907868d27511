/** discovery.k8s.io/v1 EndpointSlice: a part of the addresses behind a Service. Plain storage. */
import { ENDPOINT_SLICE } from "../../../model/kinds.ts";
import type { FieldError } from "../errors/api-error.ts";
import { listAt, textAt, valueAt } from "../json/json.ts";
import { AGE_COLUMN, column, NAME_COLUMN } from "../objects/columns.ts";
import { PLAIN_KIND, type ServedKind, type StoredObject } from "../objects/served-kind.ts";
import {
  checkOneOf,
  checkPortNumber,
  checkProtocol,
  isIpv4,
  isIpv6,
} from "../schema/address-rules.ts";
import { boolean, integer, list, map, object, text } from "../schema/schema.ts";
import { OBJECT_REFERENCE } from "./references.ts";

const endpoint = object(
  "One endpoint.",
  {
    addresses: list("Its addresses; they are taken as one.", text("An address."), {
      "x-kubernetes-list-type": "set",
    }),
    conditions: object("Its state.", {
      ready: boolean("True or absent = takes traffic."),
      serving: boolean("As ready, also while it ends."),
      terminating: boolean("True = it ends."),
    }),
    hostname: text("Host name of a headless Service's pod."),
    targetRef: OBJECT_REFERENCE,
    deprecatedTopology: map("Topology of the API v1beta1.", text("A value.")),
    nodeName: text("Its node."),
    zone: text("Its zone."),
    hints: object("Who should use it.", {
      forZones: list(
        "Zones.",
        object("A zone.", { name: text("Its name.") }, { required: ["name"] }),
      ),
      forNodes: list(
        "Nodes.",
        object("A node.", { name: text("Its name.") }, { required: ["name"] }),
      ),
    }),
  },
  { required: ["addresses"] },
);

const port = object(
  "One port.",
  {
    name: text("Name; unique in the slice.", { default: "" }),
    protocol: text("TCP, UDP or SCTP.", { default: "TCP" }),
    port: integer("Port number; absent = all ports.", { format: "int32" }),
    appProtocol: text("Application protocol, as a hint."),
  },
  { "x-kubernetes-map-type": "atomic" },
);

/** Slices; columns as `printEndpointSlice` of kubernetes pkg/printers/internalversion. */
export const ENDPOINT_SLICE_KIND: ServedKind = {
  ...PLAIN_KIND,
  ref: ENDPOINT_SLICE,
  singular: "endpointslice",
  generation: "counted",
  schema: object(
    "A part of the endpoints of a Service.",
    {
      addressType: text("IPv4, IPv6 or FQDN; never changes."),
      endpoints: list("The endpoints.", endpoint, { "x-kubernetes-list-type": "atomic" }),
      ports: list("Their ports.", port, { "x-kubernetes-list-type": "atomic" }),
    },
    { required: ["addressType"] },
  ),
  columns: [
    NAME_COLUMN,
    column("AddressType", (slice) => textAt(slice, "addressType")),
    column("Ports", (slice) => shortList(listAt(slice, "ports").map(portText))),
    column("Endpoints", (slice) =>
      shortList(
        listAt(slice, "endpoints").flatMap((each) => listAt(each, "addresses").map(String)),
      ),
    ),
    AGE_COLUMN,
  ],
  check: checkSlice,
};

/** Items that one cell shows; the rest is counted. */
const SHOWN_MAX = 3;

function shortList(all: readonly string[]): string {
  const shown = all.slice(0, SHOWN_MAX).join(",");
  if (all.length > SHOWN_MAX) return `${shown} + ${all.length - SHOWN_MAX} more...`;
  return shown === "" ? "<unset>" : shown;
}

/** Number, else name, else all. */
function portText(port: unknown): string {
  const number = valueAt(port, "port");
  return typeof number === "number" ? String(number) : textAt(port, "name") || "*";
}

/** discovery/validation: endpoints in a slice, addresses of an endpoint, ports of a slice. */
const ENDPOINTS_MAX = 1000;
const ADDRESSES_MAX = 100;
const PORTS_MAX = 20_000;
const ADDRESS_TYPES = ["FQDN", "IPv4", "IPv6"];

/** discovery/validation `ValidateEndpointSlice`. */
function checkSlice(slice: StoredObject, previous: StoredObject | null): readonly FieldError[] {
  const type = textAt(slice, "addressType");
  const endpoints = listAt(slice, "endpoints");
  const ports = listAt(slice, "ports");
  const errors = [
    ...checkOneOf(type, "addressType", ADDRESS_TYPES),
    ...tooMany(endpoints, ENDPOINTS_MAX, "endpoints"),
    ...endpoints.flatMap((each, index) => checkEndpoint(each, type, `endpoints[${index}]`)),
    ...tooMany(ports, PORTS_MAX, "ports"),
    ...ports.flatMap((each, index) => checkPort(each, `ports[${index}]`)),
    ...duplicateNames(ports),
  ];
  if (previous !== null && type !== textAt(previous, "addressType"))
    errors.push(wrong("addressType", type, "field is immutable"));
  return errors;
}

function checkEndpoint(each: unknown, type: string, where: string): readonly FieldError[] {
  const addresses = listAt(each, "addresses");
  const field = `${where}.addresses`;
  if (addresses.length === 0)
    return [{ field, reason: "FieldValueRequired", detail: "must contain at least 1 address" }];
  return [
    ...tooMany(addresses, ADDRESSES_MAX, field),
    ...addresses.flatMap((address, index) =>
      checkAddress(String(address), type, `${field}[${index}]`),
    ),
  ];
}

function checkAddress(address: string, type: string, field: string): readonly FieldError[] {
  if (type === "IPv4" && !isIpv4(address))
    return [wrong(field, address, "must be a valid IPv4 address")];
  if (type === "IPv6" && !isIpv6(address))
    return [wrong(field, address, "must be a valid IPv6 address")];
  if (
    type === "FQDN" &&
    !/^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)+\.?$/.test(address)
  )
    return [wrong(field, address, "must be a fully qualified domain name")];
  return [];
}

function checkPort(port: unknown, field: string): readonly FieldError[] {
  const number = valueAt(port, "port");
  const errors = checkProtocol(textAt(port, "protocol"), `${field}.protocol`);
  return number === undefined ? errors : [...errors, ...checkPortNumber(number, `${field}.port`)];
}

function duplicateNames(ports: readonly unknown[]): readonly FieldError[] {
  const names = ports.map((each) => textAt(each, "name"));
  return names.flatMap((value, index): readonly FieldError[] =>
    names.indexOf(value) === index
      ? []
      : [{ field: `ports[${index}].name`, reason: "FieldValueDuplicate", value, detail: "" }],
  );
}

function tooMany(all: readonly unknown[], max: number, field: string): readonly FieldError[] {
  if (all.length <= max) return [];
  const detail = `must have at most ${max} items`;
  return [{ field, reason: "FieldValueTooMany", value: all.length, detail }];
}

const wrong = (field: string, value: unknown, detail: string): FieldError => ({
  field,
  reason: "FieldValueInvalid",
  value,
  detail,
});
