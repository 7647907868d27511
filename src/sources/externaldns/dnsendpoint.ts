/**
 * DNSEndpoint → records: each endpoint of the list is one record set as it is to stand
 * (external-dns `apis/v1alpha1/dnsendpoint.go`, `endpoint/endpoint.go` @v0.22). An endpoint that
 * cannot be read keeps what stands (Z-5).
 */
import { fail, ok, type Result } from "@zonekeeper/base/result";
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import { canonicalValues, parseRdata, RDATA_FORMATS } from "@zonekeeper/dns/rdata/index";
import { txtFromText } from "@zonekeeper/dns/rdata/txt";
import type { KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import {
  type Fields,
  fieldsOf,
  listOf,
  textOf,
  textsOf,
} from "@zonekeeper/kube/objects/object-fields";
import type { ClusterView } from "@zonekeeper/kube/ports/cluster-view";
import { isOfClass } from "../../model/dns-class.ts";
import { objectKeyOf } from "../../model/kinds.ts";
import type { Problem } from "../../model/problem.ts";
import { resourceOf } from "../../model/provenance.ts";
import { memberOf } from "../../model/record-attributes.ts";
import {
  type DesiredRecordSet,
  type PolicyMember,
  recordSetKeyText,
} from "../../model/record-set.ts";
import { NO_SOURCE_RULES, type SourceRules } from "../../model/source-rules.ts";
import { NO_TRANSFER } from "../../model/transfer-request.ts";
import { readTtl, TTL_OF_DNS_MAX } from "../shared/annotations.ts";
import { desiredSets, sortedFound, waitingFor } from "../shared/found.ts";
import { quoted, readName } from "../shared/read-name.ts";
import { isAddressText } from "../shared/target-form.ts";
import { readAddress, readHostTarget, readTargets, type TypedValues } from "../shared/targets.ts";
import { readTransfer } from "../shared/transfer-annotations.ts";
import { type Found, NOTHING, type SourceFunctions, type SourceOptions } from "../source.ts";
import { readEndpointProperties } from "./endpoint-properties.ts";

/** Endpoints one object may list; more is a mistake or an attack. */
const ENDPOINTS_MAX = 1000;

/** Types whose targets are host names. */
const HOST_TYPES: ReadonlySet<string> = new Set(["CNAME", "DNAME", "NS", "PTR"]);

const ADDRESS_TYPES: ReadonlySet<string> = new Set(["A", "AAAA"]);

/** Types whose last field is a host name; `.` says that there is none (RFC 7505 §3, RFC 2782). */
const HOST_LAST: ReadonlySet<string> = new Set(["MX", "SRV"]);

/** Types that an alias to a name of the provider may be asked for as (external-dns, AWS). */
const ALIAS_TYPES: ReadonlySet<string> = new Set(["A", "AAAA", "CNAME"]);

/** Types of which a name has exactly one value (RFC 1034 §3.6.2, RFC 6672 §2.4). */
const SINGLE_TYPES: ReadonlySet<string> = new Set(["CNAME", "DNAME"]);

/**
 * Types that endpoints may have: all with a text form but SOA, which the server maintains. A zone
 * whose provider does not take one holds it.
 */
export const ENDPOINT_TYPES: readonly string[] = RDATA_FORMATS.map(({ type }) => type).filter(
  (type) => type !== "SOA",
);

/** The source `crd` of external-dns: externaldns.k8s.io/v1alpha1 DNSEndpoints. */
export function dnsEndpoint(options: SourceOptions): SourceFunctions {
  return {
    endpoints: (object, view) =>
      isOfClass(object, options.dnsClasses) ? endpoints(object, view, options) : NOTHING,
  };
}

function endpoints(
  object: KubeObject,
  view: ClusterView,
  options: SourceOptions,
): Found<DesiredRecordSet> {
  const rules = options.externalDns ?? NO_SOURCE_RULES;
  const provenance = objectKeyOf(object, view.clusterId);
  const { transfer, problems } = readTransfer(object);
  const reported = { objectTransfer: { object: provenance, transfer: transfer ?? NO_TRANSFER } };
  if (object.metadata.deletionTimestamp !== undefined) return { ...NOTHING, ...reported };
  const listed = listedIn(object);
  if (!listed.ok)
    return {
      ...NOTHING,
      problems: [problem(object, listed.error, "spec.endpoints")],
      complete: false,
      ...reported,
    };
  const list = listed.value;
  const ofItems = transfer === undefined ? {} : { transfer };
  const read = list.map((one) => readEndpoint(fieldsOf(one), rules));
  const items = read.flatMap((one): readonly DesiredRecordSet[] => {
    if (!one.ok) return [];
    const { name, typed, ...more } = one.value;
    return desiredSets(name, typed, { object, provenance, ...more, ...ofItems });
  });
  const failed = read.flatMap((one, index) => (one.ok ? [] : [{ ...one.error, index }]));
  const names = failed.flatMap(({ name }) => (name === null ? [] : [name]));
  return sortedFound({
    items: joined(items, options.externalDns !== undefined),
    waiting: waitingFor([...new Set(names)], "SourceIncomplete").map((one) => ({
      ...one,
      provenance,
    })),
    problems: [
      ...problems,
      ...failed.map(({ message, field, index }) =>
        problem(object, message, `spec.endpoints[${index}].${field}`),
      ),
    ],
    complete: failed.length === 0,
    // What all its endpoints say need not be extras twice.
    ...(items.length > 0 && failed.length === 0 ? {} : reported),
  });
}

/** A field that is misspelt past validation leaves none: no intent to remove (Z-5). */
const MISSING =
  "there is no list of endpoints; write one, where [] = none, or delete the object to have its records removed";

function listedIn(object: KubeObject): Result<readonly unknown[]> {
  const { endpoints: listed } = fieldsOf(object["spec"]);
  if (listed === undefined || listed === null) return fail(MISSING);
  const list = listOf(listed);
  if (list === null) return fail("the endpoints are not a list");
  const tooMany = `${list.length} endpoints are listed, at most ${ENDPOINTS_MAX} are read; split them over several objects`;
  return list.length > ENDPOINTS_MAX ? fail(tooMany) : ok(list);
}

/**
 * Two endpoints for one key are one record set: values of both, the first one's TTL. A type of one
 * value has two record sets, of which the planner holds one; as external-dns has it, also two TTLs.
 */
function joined(
  items: readonly DesiredRecordSet[],
  areTtlsApart: boolean,
): readonly DesiredRecordSet[] {
  const byKey = new Map<string, DesiredRecordSet>();
  for (const item of items) {
    const text = `${recordSetKeyText(item)} ${areTtlsApart ? item.ttlSeconds : ""}`;
    const key = SINGLE_TYPES.has(item.type) ? `${text} ${item.values.join()}` : text;
    const first = byKey.get(key);
    const values = canonicalValues([...(first?.values ?? []), ...item.values]);
    byKey.set(key, { ...(first ?? item), values });
  }
  return [...byKey.values()];
}

interface Endpoint {
  readonly name: DnsName;
  /** One type; an alias of a CNAME answers for both kinds of addresses. */
  readonly typed: readonly TypedValues[];
  /** Seconds; null = no wish. */
  readonly ttlSeconds: number | null;
  readonly member: PolicyMember | null;
  readonly properties: Readonly<Record<string, string>>;
}

/**
 * What is wrong with one endpoint; with its name, where that can be read, so that it keeps what
 * stands.
 */
interface EndpointTrouble {
  readonly message: string;
  readonly field: string;
  readonly name: DnsName | null;
}

function readEndpoint(
  fields: Fields,
  { provider, defaultTargets }: SourceRules,
): Result<Endpoint, EndpointTrouble> {
  const name = nameIn(fields);
  if (!name.ok)
    return fail({ message: `not a DNS name: ${name.error}`, field: "dnsName", name: null });
  const refuse = (field: string, message: string) => fail({ field, message, name: name.value });
  const extras = readEndpointProperties(fields, provider);
  if (!extras.ok) return refuse(extras.error.field, extras.error.message);
  const type = textOf(fields["recordType"]) ?? "";
  if (!ENDPOINT_TYPES.includes(type))
    return refuse("recordType", `${quoted(type)} is none of ${ENDPOINT_TYPES.join(", ")}`);
  const ttl = ttlOf(fields["recordTTL"]);
  if (!ttl.ok) return refuse("recordTTL", ttl.error);
  const targets = textsOf(fields["targets"] ?? []);
  const mayBeAlias = ALIAS_TYPES.has(type);
  const isDefault = targets?.length === 0 && mayBeAlias && defaultTargets.length > 0;
  const { alias, ...others } = extras.value.properties;
  const asked = mayBeAlias && !isDefault ? aliasTypes(type, alias) : null;
  const typed = isDefault ? readDefaults(defaultTargets) : typedOf(targets, { type, asked });
  if (!typed.ok) return refuse("targets", typed.error);
  const properties = asked === null ? extras.value.properties : { ...others, alias: "true" };
  const member = memberOf(extras.value);
  return ok({ name: name.value, typed: typed.value, ttlSeconds: ttl.value, member, properties });
}

/** `A` and `AAAA` ask for an alias of that kind alone; null = no alias is asked for. */
function aliasTypes(type: string, alias = ""): readonly string[] | null {
  if (ADDRESS_TYPES.has(alias)) return [alias];
  if (alias !== "true") return null;
  return type === "CNAME" ? [...ADDRESS_TYPES] : [type];
}

/** The targets that flags say; addresses win over host names, as from a status. */
function readDefaults(targets: readonly string[]): Result<readonly TypedValues[]> {
  const addresses = targets.filter(isAddressText);
  const read = readTargets(addresses.length > 0 ? addresses : targets);
  return read.ok ? read : fail(read.error.message);
}

/** An alias has a name as its target, whatever its type; one of a CNAME is of both addresses. */
function typedOf(
  targets: readonly string[] | null,
  { type, asked }: { readonly type: string; readonly asked: readonly string[] | null },
): Result<readonly TypedValues[]> {
  const values = valuesOf(targets, asked === null ? type : "CNAME");
  if (!values.ok) return values;
  return ok((asked ?? [type]).map((one) => ({ type: one, values: values.value })));
}

function valuesOf(targets: readonly string[] | null, type: string): Result<readonly string[]> {
  if (targets === null || targets.length === 0) return fail("is not a list of at least one text");
  const values: string[] = [];
  for (const target of targets) {
    const value = readTarget(target.trim(), type);
    if (!value.ok) return fail(`invalid target ${quoted(target)}: ${value.error}`);
    values.push(value.value);
  }
  if (SINGLE_TYPES.has(type) && values.length > 1) return fail(`a ${type} has exactly one target`);
  return ok(canonicalValues(values));
}

function readTarget(target: string, type: string): Result<string> {
  if (type === "TXT" && !target.startsWith('"')) return ok(txtFromText(target));
  if (HOST_TYPES.has(type)) return readHostTarget(target);
  if (ADDRESS_TYPES.has(type)) return readAddress(type, target);
  if (!HOST_LAST.has(type)) return parseRdata(type, target);
  const tokens = target.split(/\s+/);
  const host = tokens.pop() ?? "";
  const read = host === "." ? ok(host) : readHostTarget(host);
  return read.ok ? parseRdata(type, [...tokens, read.value].join(" ")) : read;
}

function problem(object: KubeObject, message: string, field: string): Problem {
  const subject = resourceOf(objectKeyOf(object, ""));
  return { code: "InvalidEndpoint", subject, message, field };
}

function nameIn(fields: Fields): Result<DnsName> {
  const text = textOf(fields["dnsName"]);
  return text === null ? fail("it is missing") : readName(text);
}

/** 0 and absent = no wish, as in external-dns. */
function ttlOf(value: unknown): Result<number | null> {
  return (value ?? 0) === 0 ? ok(null) : readTtl(value, TTL_OF_DNS_MAX);
}
