/** Rules of Services beyond the schema: types, ports, what must not change. Pure. */
import type { FieldError } from "../errors/api-error.ts";
import { listAt, textAt, valueAt } from "../json/json.ts";
import type { StoredObject } from "../objects/served-kind.ts";
import { isIpv4 } from "../schema/address-rules.ts";
import { checkServiceNames } from "./service-names.ts";

const TYPES = ["ClusterIP", "ExternalName", "LoadBalancer", "NodePort"];
const PROTOCOLS = ["SCTP", "TCP", "UDP"];

/** All field errors of a Service; `previous` null = create. */
export function checkService(
  service: StoredObject,
  previous: StoredObject | null,
): readonly FieldError[] {
  const type = textAt(service, "spec", "type");
  const errors: FieldError[] = [...oneOf("spec.type", type, TYPES)];
  const ports = listAt(service, "spec", "ports");
  if (
    ports.length === 0 &&
    type !== "ExternalName" &&
    textAt(service, "spec", "clusterIP") !== "None"
  )
    errors.push({ field: "spec.ports", reason: "FieldValueRequired", detail: "" });
  for (const [index, port] of ports.entries())
    errors.push(...checkPort(port, `spec.ports[${index}]`, ports.length > 1));
  errors.push(...duplicatePorts(ports), ...checkAddresses(service), ...checkServiceNames(service));
  if (type === "ExternalName" && textAt(service, "spec", "externalName") === "")
    errors.push({ field: "spec.externalName", reason: "FieldValueRequired", detail: "" });
  if (previous !== null) errors.push(...checkClusterIp(service, previous));
  return errors;
}

/** Names are needed as soon as there are two ports. */
function checkPort(port: unknown, path: string, isNameNeeded: boolean): readonly FieldError[] {
  const errors: FieldError[] = [...oneOf(`${path}.protocol`, textAt(port, "protocol"), PROTOCOLS)];
  if (isNameNeeded && textAt(port, "name") === "")
    errors.push({ field: `${path}.name`, reason: "FieldValueRequired", detail: "" });
  for (const field of ["port", "targetPort", "nodePort"]) {
    const value = valueAt(port, field);
    if (typeof value !== "number" || (field === "nodePort" && value === 0)) continue;
    if (value < 1 || value > 65_535)
      errors.push(invalid(`${path}.${field}`, value, "must be between 1 and 65535, inclusive"));
  }
  return errors;
}

/** Port and protocol together are unique. */
function duplicatePorts(ports: readonly unknown[]): readonly FieldError[] {
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  for (const [index, port] of ports.entries()) {
    const shown = { port: valueAt(port, "port"), protocol: textAt(port, "protocol") };
    const id = JSON.stringify(shown);
    if (seen.has(id))
      errors.push({
        field: `spec.ports[${index}]`,
        reason: "FieldValueDuplicate",
        value: shown,
        detail: "",
      });
    seen.add(id);
  }
  return errors;
}

/** DNS records are made from these: nothing but addresses may stand there. */
function checkAddresses(service: StoredObject): readonly FieldError[] {
  const errors: FieldError[] = [];
  for (const [index, address] of listAt(service, "spec", "externalIPs").entries())
    if (!isAddress(String(address)))
      errors.push(invalid(`spec.externalIPs[${index}]`, address, NOT_AN_ADDRESS));
  for (const [index, each] of listAt(service, "status", "loadBalancer", "ingress").entries()) {
    const address = textAt(each, "ip");
    if (address !== "" && !isAddress(address))
      errors.push(invalid(`status.loadBalancer.ingress[${index}].ip`, address, NOT_AN_ADDRESS));
  }
  const clusterIP = textAt(service, "spec", "clusterIP");
  if (clusterIP !== "" && clusterIP !== "None" && !isAddress(clusterIP))
    errors.push(invalid("spec.clusterIPs[0]", clusterIP, NOT_AN_ADDRESS));
  return errors;
}

/** An address that was given out stays, save when the Service becomes a mere alias. */
function checkClusterIp(service: StoredObject, previous: StoredObject): readonly FieldError[] {
  const before = textAt(previous, "spec", "clusterIP");
  const after = textAt(service, "spec", "clusterIP");
  const isKept =
    before === "" || before === after || textAt(service, "spec", "type") === "ExternalName";
  return isKept ? [] : [invalid("spec.clusterIP", after, "field is immutable")];
}

const NOT_AN_ADDRESS = "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)";

function isAddress(value: string): boolean {
  return isIpv4(value) || (value.includes(":") && URL.canParse(`http://[${value}]/`));
}

function oneOf(field: string, value: string, values: readonly string[]): readonly FieldError[] {
  if (values.includes(value)) return [];
  const detail = `supported values: ${values.map((each) => JSON.stringify(each)).join(", ")}`;
  return [{ field, reason: "FieldValueNotSupported", value, detail }];
}

const invalid = (field: string, value: unknown, detail: string): FieldError => ({
  field,
  reason: "FieldValueInvalid",
  value,
  detail,
});
