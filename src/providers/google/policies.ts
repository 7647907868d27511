/**
 * Routing policies of Cloud DNS: one record set has all members as its items (discovery document,
 * RRSetRoutingPolicy), a weighted one is known by its position and a located one by its location.
 * Gardener's names and parameters, and its placeholders for free positions. Pure.
 */
import {
  type Fields,
  fieldsOf,
  listOf,
  numberOf,
  textOf,
} from "@zonekeeper/kube/objects/object-fields";
import type { RecordSet, RoutingPolicy } from "../../model/record-set.ts";
import { dottedRdata, readRdata } from "../shared/dotted-rdata.ts";
import { plainSet } from "../shared/plain-sets.ts";

/** What a member shows whose targets have health checks, which is not written here. */
const CHECKED_PROPERTY = "healthCheckedTargets";

/** Docs "Configure DNS routing policies": "a nonnegative number from 0.0 to 1000.0". */
const WEIGHT_MAX = 1000;
/** As Gardener has it: a member with position 4 alone costs four items with placeholders. */
const POSITION_MAX = 4;
/** "us-east1", "southamerica-east1": discovery document, GeoPolicyItem.location. */
const LOCATION = /^[a-z]+(?:-[a-z]+)+\d+$/;

/** Data of an item that keeps a position free, with the weight 0; Gardener's. */
const PLACEHOLDERS: Readonly<Record<string, string>> = {
  A: "233.252.0.1",
  AAAA: "2001:db8::1",
  CNAME: "dummy.dummy.dummy.com.",
  TXT: '"__dummy__"',
};

interface Kind {
  /** Field of the policy that has the items. */
  readonly field: "wrr" | "geo";
  /** The only parameter. */
  readonly parameter: "weight" | "location";
  /** What is wrong with set identifier and parameter; null = nothing. */
  readonly trouble: (setIdentifier: string, text: string) => string | null;
  readonly identify: (item: Fields, index: number) => string;
}

const KINDS: Readonly<Record<string, Kind>> = {
  weighted: {
    field: "wrr",
    parameter: "weight",
    trouble: (setIdentifier, text) => {
      if (!/^\d$/.test(setIdentifier) || Number(setIdentifier) > POSITION_MAX)
        return `the set identifier of a weighted record is its position at Google, 0 to ${POSITION_MAX}; it is ${setIdentifier}`;
      const weight = Number(text);
      if (String(weight) === text && weight >= 0 && weight <= WEIGHT_MAX) return null;
      return `the weight must be a number from 0 to ${WEIGHT_MAX}, such as 10; it is ${text}`;
    },
    identify: (_, index) => String(index),
  },
  geolocation: {
    field: "geo",
    parameter: "location",
    trouble: (setIdentifier, text) => {
      if (!LOCATION.test(text))
        return `the location must be a region of Google Cloud, such as europe-west1; it is ${text}`;
      if (setIdentifier === text) return null;
      return `the set identifier of a located record is its location: write ${text} for ${setIdentifier}`;
    },
    identify: (item) => textOf(item["location"]) ?? "",
  },
};

/** Kinds as objects say them. */
const POLICIES = Object.keys(KINDS).join(", ");

/** What Cloud DNS cannot take about set identifier and policy; null = it can. */
export function policyTrouble(set: RecordSet): string | null {
  const { setIdentifier, routingPolicy } = set;
  if (setIdentifier === null && routingPolicy === null) return null;
  if (setIdentifier === null || routingPolicy === null)
    return "a routing policy and a set identifier belong together; give both or none";
  const kind = KINDS[routingPolicy.type];
  if (kind !== undefined)
    return dataTrouble(set) ?? parameterTrouble(routingPolicy, kind, setIdentifier);
  return `Cloud DNS has no routing policy ${routingPolicy.type}; possible are ${POLICIES}`;
}

function dataTrouble({ type, values }: RecordSet): string | null {
  const placeholder = PLACEHOLDERS[type];
  if (placeholder === undefined)
    return `routing policies are for ${Object.keys(PLACEHOLDERS).join(", ")}; remove the policy`;
  if (values.length !== 1 || dottedRdata(type, values[0] ?? "") !== placeholder) return null;
  return `${placeholder} is what keeps a position free; use another target`;
}

function parameterTrouble(
  { type, parameters }: RoutingPolicy,
  { parameter, trouble }: Kind,
  setIdentifier: string,
): string | null {
  const { [parameter]: text = "", ...others } = parameters;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined)
    return `the routing policy ${type} has no parameter ${unknown} at Google; it has ${parameter}`;
  if (text === "") return `the routing policy ${type} lacks its parameter ${parameter}`;
  return trouble(setIdentifier, text);
}

/** The members of a policy; `plain` has what they share. Empty = it has none that are known. */
export function toMembers(policy: Fields, plain: RecordSet): readonly RecordSet[] {
  return Object.entries(KINDS).flatMap(([type, kind]) =>
    itemsOf(policy, kind).flatMap((item, index): readonly RecordSet[] => {
      const [data, ...more] = listOf(item["rrdatas"]) ?? [];
      const isFree = Number(item["weight"] ?? Number.NaN) === 0;
      if (isFree && more.length === 0 && textOf(data) === PLACEHOLDERS[plain.type]) return [];
      const values = (listOf(item["rrdatas"]) ?? []).map((one) =>
        readRdata(plain.type, textOf(one) ?? ""),
      );
      const value = item[kind.parameter];
      const weight = numberOf(value) ?? Number(textOf(value) ?? 0);
      const parameter = kind.parameter === "weight" ? String(weight) : (textOf(value) ?? "");
      const checked = fieldsOf(item[CHECKED_PROPERTY]);
      const isChecked = Object.keys(checked).length > 0;
      return [
        {
          ...plainSet({ ...plain, values }),
          setIdentifier: kind.identify(item, index),
          routingPolicy: { type, parameters: { [kind.parameter]: parameter } },
          ...(isChecked ? { properties: { [CHECKED_PROPERTY]: "true" } } : {}),
        },
      ];
    }),
  );
}

function itemsOf(policy: Fields, { field }: Kind): readonly Fields[] {
  return (listOf(fieldsOf(policy[field])["items"]) ?? []).map(fieldsOf);
}

/**
 * The policy with these members, which are of one kind. Items of `present` whose members are not
 * `written` stay as they are, and so does what the policy says besides.
 */
export function fromMembers(
  members: readonly RecordSet[],
  present: Fields = {},
  written: ReadonlySet<string> = new Set(),
): Fields {
  const [first] = members;
  const kind = KINDS[first?.routingPolicy?.type ?? ""];
  if (kind === undefined || first === undefined) return {};
  const found = itemsOf(present, kind);
  const known = new Map(found.map((item, index) => [kind.identify(item, index), item]));
  const itemOf = (member: RecordSet): Fields => {
    const identifier = member.setIdentifier ?? "";
    const stays = written.has(identifier) ? undefined : known.get(identifier);
    // Signatures are the server's.
    const { signatureRrdatas: _, ...item } = stays ?? newItem(member, kind);
    return item;
  };
  const items =
    kind.field === "geo" ? members.map(itemOf) : atPositions(members, itemOf, first.type);
  const before = found.length === 0 ? {} : present;
  return { ...before, [kind.field]: { ...fieldsOf(before[kind.field]), items } };
}

/** Positions without a member are kept free. */
function atPositions(
  members: readonly RecordSet[],
  itemOf: (member: RecordSet) => Fields,
  type: string,
): readonly Fields[] {
  const byPosition = new Map(members.map((one) => [Number(one.setIdentifier), one]));
  const length = Math.max(...byPosition.keys()) + 1;
  return Array.from({ length }, (_, position) => {
    const member = byPosition.get(position);
    return member === undefined ? { weight: 0, rrdatas: [PLACEHOLDERS[type]] } : itemOf(member);
  });
}

function newItem({ type, values, routingPolicy }: RecordSet, { parameter }: Kind): Fields {
  const text = routingPolicy?.parameters[parameter] ?? "";
  return {
    [parameter]: parameter === "weight" ? Number(text) : text,
    rrdatas: values.map((value) => dottedRdata(type, value)),
  };
}
