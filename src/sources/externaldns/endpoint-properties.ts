/**
 * `setIdentifier` and `providerSpecific` of an endpoint (external-dns `endpoint/endpoint.go`,
 * `provider/aws/aws.go` @v0.22, `provider/google/google.go` for `google-…`): the policy and the
 * properties of its record sets. A property that has no meaning here is refused, never ignored.
 */
import { fail, ok, type Result } from "@zonekeeper/base/result";
import { type Fields, fieldsOf, listOf, textOf } from "@zonekeeper/kube/objects/object-fields";
import type { RoutingPolicy } from "../../model/record-set.ts";

/** What is said of a record set besides its values. */
export interface EndpointProperties {
  /** Null = a plain record set. */
  readonly setIdentifier: string | null;
  readonly routingPolicy: RoutingPolicy | null;
  readonly properties: Readonly<Record<string, string>>;
}

type Texts = ReadonlyMap<string, string>;

const LOCATION = ["continent", "country", "subdivision"] as const;
/** Says which of the kinds above it is; that one says it, too. */
const GOOGLE_POLICY = "google-routing-policy";
const HEALTH_CHECK = "aws/health-check-id";
const PROXIED = [
  "external-dns.kubernetes.io/cloudflare-proxied",
  "external-dns.alpha.kubernetes.io/cloudflare-proxied",
];

/** A kind of policy, by the property that says it. */
const KINDS: readonly {
  readonly keys: readonly string[];
  readonly read: (texts: Texts) => RoutingPolicy;
}[] = [
  simple("aws/weight", "weighted", "weight"),
  simple("aws/region", "latency", "region"),
  {
    keys: ["aws/failover"],
    read: (texts) => ({
      type: "failover",
      parameters: { failoverRecordType: (texts.get("aws/failover") ?? "").toLowerCase() },
    }),
  },
  {
    keys: LOCATION.map(locationKey),
    read: (texts) => ({ type: "geolocation", parameters: { location: locationOf(texts) } }),
  },
  simple("google-weight", "weighted", "weight"),
  simple("google-location", "geolocation", "location"),
  { keys: ["aws/multi-value-answer"], read: () => ({ type: "multivalue", parameters: {} }) },
];

/** Properties of the record set itself: the name that providers here know them by. */
const PROPERTIES: Readonly<Record<string, string>> = {
  alias: "alias",
  "aws/evaluate-target-health": "evaluateTargetHealth",
  "aws/target-hosted-zone": "aliasHostedZoneId",
  ...Object.fromEntries(PROXIED.map((key) => [key, "proxied"])),
};

const KNOWN: readonly string[] = [
  ...KINDS.flatMap(({ keys }) => keys),
  HEALTH_CHECK,
  GOOGLE_POLICY,
  ...Object.keys(PROPERTIES),
];

/**
 * Reads both fields of one endpoint; the error names the field. Properties of another provider than
 * this one say nothing, as in external-dns; empty = those of all are read.
 */
export function readEndpointProperties(
  fields: Fields,
  provider = "",
): Result<EndpointProperties, { readonly field: string; readonly message: string }> {
  const given = fields["setIdentifier"] ?? "";
  if (typeof given !== "string") return fail({ field: "setIdentifier", message: "is not a text" });
  const texts = textsOf(fields["providerSpecific"], provider);
  if (!texts.ok) return fail({ field: "providerSpecific", message: texts.error });
  const policies = KINDS.filter(({ keys }) => keys.some((key) => texts.value.has(key)));
  const [kind, ...more] = policies;
  if (more.length > 0) {
    const named = policies.map(({ keys }) => keys[0]).join(" and ");
    return fail({ field: "providerSpecific", message: `has two routing policies: ${named}` });
  }
  const setIdentifier = kind === undefined && !WITH_POLICIES.has(provider) ? "" : given;
  if ((kind === undefined) !== (setIdentifier === ""))
    return fail({
      field: "setIdentifier",
      message:
        "needs a routing policy (e.g. aws/weight), and a policy needs it; write both or none",
    });
  return ok({
    setIdentifier: setIdentifier === "" ? null : setIdentifier,
    routingPolicy: kind === undefined ? null : withHealthCheck(kind.read(texts.value), texts.value),
    properties: {
      ...propertiesOf(texts.value, provider !== ""),
      ...Object.fromEntries([...texts.value].filter(([name]) => !KNOWN.includes(name))),
    },
  });
}

function textsOf(value: unknown, provider: string): Result<Texts> {
  const list = listOf(value);
  if (list === null) return fail("is not a list");
  const texts = new Map<string, string>();
  for (const one of list) {
    const { name: key, value: text = "" } = fieldsOf(one);
    const name = textOf(key) ?? "";
    if (provider !== "" && isDropped(name, provider)) continue;
    if (!KNOWN.includes(name) && provider !== WEBHOOK)
      return fail(`${name} is not supported; known are ${KNOWN.join(", ")}`);
    if (typeof text !== "string") return fail(`${name} is not a text; write it in quotes`);
    texts.set(name, text);
  }
  return ok(texts);
}

const CLOUDFLARE = /^external-dns\.(?:alpha\.)?kubernetes\.io\/cloudflare-/;

/** Its properties are the webhook's business: none is unknown. */
const WEBHOOK = "webhook";

/** With other providers external-dns writes the CNAME as it is. */
const ALIASING: ReadonlySet<string> = new Set(["aws", "pdns", WEBHOOK]);

/** With other providers a set identifier belongs to a policy that was dropped, and says nothing. */
const WITH_POLICIES: ReadonlySet<string> = new Set(["", "aws", "webhook"]);

/** What external-dns drops for the provider, or does only with a flag that is refused here. */
function isDropped(name: string, provider: string): boolean {
  // No PTR records are made of addresses; in CoreDNS each name is a group of its own.
  if (name === "record-type" || name === "coredns/group") return true;
  if (name === "alias") return !ALIASING.has(provider);
  if (!name.includes("/") || name.startsWith(`${provider}/`)) return false;
  const [prefix = ""] = CLOUDFLARE.exec(name) ?? [];
  if (provider !== "cloudflare" || prefix === "") return true;
  return ["custom-hostname", "region-key"].includes(name.slice(prefix.length));
}

function withHealthCheck({ type, parameters }: RoutingPolicy, texts: Texts): RoutingPolicy {
  const id = texts.get(HEALTH_CHECK);
  return {
    type,
    parameters: { ...parameters, ...(id === undefined ? {} : { healthCheckID: id }) },
  };
}

/** `false` is what is without the property, unless a flag has another default. */
function propertiesOf(texts: Texts, hasDefaults: boolean): Readonly<Record<string, string>> {
  const found = Object.entries(PROPERTIES).flatMap(([key, name]): [string, string][] => {
    const text = texts.get(key);
    const isNone = text === "false" && !hasDefaults;
    return text === undefined || text === "" || isNone ? [] : [[name, text]];
  });
  return Object.fromEntries(found);
}

function simple(key: string, type: string, parameter: string): (typeof KINDS)[number] {
  const read = (texts: Texts) => ({ type, parameters: { [parameter]: texts.get(key) ?? "" } });
  return { keys: [key], read };
}

function locationKey(part: string): string {
  return `aws/geolocation-${part}-code`;
}

/** As Gardener writes it: `continent=EU`, `country=US,subdivision=CA`. */
function locationOf(texts: Texts): string {
  return LOCATION.flatMap((part) => {
    const code = texts.get(locationKey(part));
    return code === undefined ? [] : [`${part}=${code}`];
  }).join(",");
}
