/**
 * Routing policies: Gardener's names and parameters (docs/usage of external-dns-management,
 * "Routing policy") to the fields of a ResourceRecordSet. Pure.
 */
import { type ResourceRecordSet, ResourceRecordSetRegion } from "@aws-sdk/client-route-53";
import type { RoutingPolicy } from "../../model/record-set.ts";

/** A health check belongs to every kind. */
const HEALTH_CHECK = "healthCheckID";
type Parameters = Readonly<Record<string, string>>;
type Fields = Omit<ResourceRecordSet, "Name" | "Type">;

interface Kind {
  readonly required: readonly string[];
  /** What its parameters must be. */
  readonly form: string;
  /** Null = a parameter has no meaning. */
  readonly write: (parameters: Parameters) => Fields | null;
  /** Null = the record set has another kind. */
  readonly read: (set: Fields) => Parameters | null;
}

const WEIGHT_MAX = 255;

const KINDS: Readonly<Record<string, Kind>> = {
  weighted: {
    required: ["weight"],
    form: "weight must be a whole number from 0 to 255",
    write: ({ weight = "" }) =>
      /^\d{1,3}$/.test(weight) && Number(weight) <= WEIGHT_MAX ? { Weight: Number(weight) } : null,
    read: ({ Weight }) => (Weight === undefined ? null : { weight: String(Weight) }),
  },
  latency: {
    required: ["region"],
    form: "region must be one of AWS, such as eu-west-1",
    write: ({ region }) => {
      const Region = Object.values(ResourceRecordSetRegion).find((one) => one === region);
      return Region === undefined ? null : { Region };
    },
    read: ({ Region }) => (Region === undefined ? null : { region: Region }),
  },
  geolocation: {
    required: ["location"],
    form: "location must be such as continent=EU, country=DE, country=US,subdivision=CA or country=*",
    write: ({ location = "" }) => writeLocation(location),
    read: ({ GeoLocation }) => readLocation(GeoLocation),
  },
  failover: {
    required: ["failoverRecordType"],
    form: "failoverRecordType must be primary or secondary",
    write: ({ failoverRecordType: kind = "" }) => {
      const Failover = FAILOVER.find((one) => one === kind.toUpperCase());
      return Failover === undefined ? null : { Failover };
    },
    read: ({ Failover }) =>
      Failover === undefined ? null : { failoverRecordType: Failover.toLowerCase() },
  },
  multivalue: {
    required: [],
    form: "",
    write: () => ({ MultiValueAnswer: true }),
    read: ({ MultiValueAnswer }) => (MultiValueAnswer === true ? {} : null),
  },
  "ip-based": {
    required: ["collection", "location"],
    form: "",
    write: ({ collection: CollectionId, location: LocationName }) => ({
      CidrRoutingConfig: { CollectionId, LocationName },
    }),
    read: ({ CidrRoutingConfig: config }) =>
      config === undefined
        ? null
        : { collection: config.CollectionId ?? "", location: config.LocationName ?? "" },
  },
};
const FAILOVER = ["PRIMARY", "SECONDARY"] as const;

/** Kinds as objects say them. */
const POLICIES = Object.keys(KINDS).join(", ");

/** What is wrong with a policy; null = it can be written. */
export function policyTrouble({ type, parameters }: RoutingPolicy): string | null {
  const kind = KINDS[type];
  if (kind === undefined) return `the routing policy ${type} is not possible; use ${POLICIES}`;
  const missing = kind.required.find((name) => (parameters[name] ?? "") === "");
  if (missing !== undefined) return `the routing policy ${type} lacks its parameter ${missing}`;
  const known = [...kind.required, HEALTH_CHECK];
  const unknown = Object.keys(parameters).find((name) => !known.includes(name));
  if (unknown !== undefined)
    return `the routing policy ${type} has no parameter ${unknown}; possible are ${known.join(", ")}`;
  return kind.write(parameters) === null ? `the routing policy ${type}: ${kind.form}` : null;
}

/** As the API shows it: `010` is the weight 10. One that cannot be written stays as it is. */
export function normalizePolicy(policy: RoutingPolicy | null): RoutingPolicy | null {
  if (policy === null || policyTrouble(policy) !== null) return policy;
  return toPolicy({ ...fromPolicy(policy), ...MEMBER });
}

/** Whatever has a policy. */
const MEMBER = { Name: "", Type: "A", SetIdentifier: "" } as const;

/** The fields of a policy that was checked. */
export function fromPolicy(policy: RoutingPolicy | null): Fields {
  if (policy === null) return {};
  const health = policy.parameters[HEALTH_CHECK];
  const fields = KINDS[policy.type]?.write(policy.parameters) ?? {};
  return health === undefined ? fields : { ...fields, HealthCheckId: health };
}

/** A kind that is not known here is read as `other`, which nothing desired equals. */
export function toPolicy(set: ResourceRecordSet): RoutingPolicy | null {
  if (set.SetIdentifier === undefined) return null;
  const health: Parameters =
    set.HealthCheckId === undefined ? {} : { [HEALTH_CHECK]: set.HealthCheckId };
  for (const [type, kind] of Object.entries(KINDS)) {
    const parameters = kind.read(set);
    if (parameters !== null) return { type, parameters: { ...parameters, ...health } };
  }
  return { type: "other", parameters: health };
}

/** `continent=EU`, `country=DE`, `country=US,subdivision=CA`, `country=*` for all others. */
function writeLocation(text: string): Fields | null {
  const match =
    /^(?:continent=(?<continent>[A-Z]{2})|country=(?<country>[A-Z]{2}|\*)(?:,subdivision=(?<subdivision>[A-Z0-9]{1,3}))?)$/.exec(
      text,
    );
  if (match === null) return null;
  const { continent, country, subdivision } = match.groups ?? {};
  return {
    GeoLocation: {
      ...(continent === undefined ? {} : { ContinentCode: continent }),
      ...(country === undefined ? {} : { CountryCode: country }),
      ...(subdivision === undefined ? {} : { SubdivisionCode: subdivision }),
    },
  };
}

function readLocation(location: ResourceRecordSet["GeoLocation"]): Parameters | null {
  if (location === undefined) return null;
  if (location.ContinentCode !== undefined)
    return { location: `continent=${location.ContinentCode}` };
  const more =
    location.SubdivisionCode === undefined ? "" : `,subdivision=${location.SubdivisionCode}`;
  return { location: `country=${location.CountryCode ?? "*"}${more}` };
}
