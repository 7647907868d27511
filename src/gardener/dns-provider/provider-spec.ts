/**
 * Reads `DNSProvider.spec` (dns.gardener.cloud/v1alpha1). Parses and refuses; knows no Secret and
 * no zone.
 */
import { fail, ok, type Result } from "@zonekeeper/base/result";
import { type DnsName, parseDnsName } from "@zonekeeper/dns/names/dns-name";
import { isAscii } from "@zonekeeper/dns/names/idna";
import type { KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import { fieldsOf, numberOf, textOf, textsOf } from "@zonekeeper/kube/objects/object-fields";
import type { ProviderFacts } from "../../controllers/zone-choice/provider-facts.ts";
import { remarksOn } from "../../model/annotation-remarks.ts";

/** The wishes of a DNSProvider. */
export interface ProviderSpec {
  readonly type: string;
  /** Name of the Secret in the provider's own namespace. */
  readonly secretName: string;
  /** Type specific, as written; undefined when absent. */
  readonly config: unknown;
  /** Empty include = everything. */
  readonly domains: Choice<DnsName>;
  readonly zones: ZoneChoice;
  /** Seconds; null = the program's default. */
  readonly defaultTtlSeconds: number | null;
  readonly limits: ProviderLimits;
  /** Annotations that are given and have no effect; one sentence each. */
  readonly unused: readonly string[];
}

/** How many entries it takes, and how fast. */
export type ProviderLimits = Pick<ProviderFacts, "entriesMax" | "rateLimit">;

/** The included and the excluded items. */
export interface Choice<T> {
  readonly include: readonly T[];
  readonly exclude: readonly T[];
}

/** Zone ids. */
export interface ZoneChoice extends Choice<string> {
  /** The ones of `exclude` that the operator excludes by `--blocked-zone`; absent = none. */
  readonly blocked?: readonly string[];
}

/** Reads the spec, or says what is wrong with which field. */
export function readProviderSpec(object: KubeObject): Result<ProviderSpec> {
  const spec = fieldsOf(object["spec"]);
  const type = textOf(spec["type"]);
  if (type === null) return fail("spec.type is missing; name a provider type such as rfc2136");
  const secret = secretNameOf(object, fieldsOf(spec["secretRef"]));
  if (!secret.ok) return secret;
  const domains = choiceOf(fieldsOf(spec["domains"]), "spec.domains", (text) =>
    text.startsWith("*")
      ? fail("wildcards are not possible here; write the domain without *, it covers all below it")
      : parseDnsName(text),
  );
  if (!domains.ok) return domains;
  const zones = choiceOf(fieldsOf(spec["zones"]), "spec.zones", (text) => ok(zoneIdOf(text)));
  if (!zones.ok) return zones;
  const limits = limitsOf(spec);
  if (!limits.ok) return limits;
  return ok({
    type,
    secretName: secret.value,
    config: spec["providerConfig"],
    domains: domains.value,
    zones: zones.value,
    defaultTtlSeconds: numberOf(spec["defaultTTL"]),
    limits: limits.value,
    unused: remarksOn(object, false).map(
      ({ key, message }) => `metadata.annotations[${key}]: ${message}`,
    ),
  });
}

/** The provider type that it names, of those that this program has. */
export function typeOf<T extends { readonly type: string }>(
  { type }: ProviderSpec,
  types: Iterable<T>,
): Result<T> {
  const all = [...types];
  const found = all.find((one) => one.type === type);
  if (found !== undefined) return ok(found);
  const known = all.map((one) => one.type).sort();
  return fail(`provider type "${type}" is not supported; known types: ${known.join(", ")}`);
}

/** Another process serves it; `types` null = this one serves all. */
export function hasOtherType(object: KubeObject, types: ReadonlySet<string> | null): boolean {
  const type = textOf(fieldsOf(object["spec"])["type"]);
  // clause: other-type-is-of-another-process
  return type !== null && types?.has(type) === false;
}

/** The spec, with these zones (`--blocked-zone`) among the excluded ones. */
export function withoutZones(spec: ProviderSpec, blocked: readonly string[]): ProviderSpec {
  const { include, exclude } = spec.zones;
  return { ...spec, zones: { include, exclude: [...exclude, ...blocked], blocked } };
}

function limitsOf(spec: Readonly<Record<string, unknown>>): Result<ProviderLimits> {
  const entries = fieldsOf(spec["quotas"])["entries"] ?? null;
  const isLimited = (spec["rateLimit"] ?? null) !== null;
  const { requestsPerDay, burst } = fieldsOf(spec["rateLimit"]);
  const none: ProviderLimits = { entriesMax: null, rateLimit: null };
  if (entries !== null && !isCount(entries, 0)) return noCount("quotas.entries", 0);
  const quota = entries === null ? none : { ...none, entriesMax: entries };
  if (!isLimited) return ok(quota);
  if (!isCount(requestsPerDay, 1)) return noCount("rateLimit.requestsPerDay", 1);
  if (!isCount(burst, 1)) return noCount("rateLimit.burst", 1);
  return ok({ ...quota, rateLimit: { requestsPerDay, burst } });
}

function isCount(value: unknown, least: number): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= least;
}

function noCount(field: string, least: number): { readonly ok: false; readonly error: string } {
  return fail(`spec.${field} is not a whole number from ${least} on; correct it`);
}

/**
 * A Secret must be in the provider's own namespace (docs/safety.md#secrets). Gardener's next
 * generation ignores a namespace that is given; here it is an error that says so.
 */
function secretNameOf(
  object: KubeObject,
  reference: Readonly<Record<string, unknown>>,
): Result<string> {
  const name = textOf(reference["name"]);
  if (name === null) return fail("no secret specified: set spec.secretRef.name");
  const namespace = textOf(reference["namespace"]);
  if (namespace === null || namespace === object.metadata.namespace) return ok(name);
  return fail(
    "spec.secretRef.namespace must be the provider's own namespace; copy the Secret there",
  );
}

function choiceOf<T extends string>(
  fields: Readonly<Record<string, unknown>>,
  path: string,
  read: (text: string) => Result<T>,
): Result<Choice<T>> {
  const [include, exclude] = [textsOf(fields["include"]), textsOf(fields["exclude"])];
  if (include === null || exclude === null)
    return fail(`${path}.include and ${path}.exclude must be lists of strings`);
  const included = readAll(include, `${path}.include`, read);
  if (!included.ok) return included;
  const excluded = readAll(exclude, `${path}.exclude`, read);
  if (!excluded.ok) return excluded;
  const both = included.value.find((item) => excluded.value.includes(item));
  if (both !== undefined) return fail(`${path}: "${both}" is both included and excluded`);
  return ok({ include: included.value, exclude: excluded.value });
}

function readAll<T>(
  texts: readonly string[],
  path: string,
  read: (text: string) => Result<T>,
): Result<readonly T[]> {
  const values: T[] = [];
  for (const text of texts) {
    const value = read(text);
    if (!value.ok) return fail(`${path}: "${text}" is not a domain: ${value.error}`);
    values.push(value.value);
  }
  return ok(values);
}

/**
 * The zone id that a person wrote. Some back ends use the apex as the id: an international name is
 * converted to A-labels. A text with `/` is another kind of id, such as `group/zone` of Azure.
 */
export function zoneIdOf(text: string): string {
  if (isAscii(text) || text.includes("/")) return text;
  const name = parseDnsName(text);
  return name.ok ? name.value : text;
}
