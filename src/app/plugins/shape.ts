/**
 * Whether a value of a plug-in has the fields that it must have. Plug-ins may be plain JavaScript,
 * so that their types prove nothing. Pure.
 */
import { parseDnsName } from "@zonekeeper/dns/names/dns-name";
import { isFields } from "@zonekeeper/kube/objects/object-fields";

/** Whether a field is right, and what it must be: `must be a text`. */
export type FieldShape = readonly [isRight: (value: unknown) => boolean, must: string];

/** The fields of an object; others are not looked at. */
export type Shape = Readonly<Record<string, FieldShape>>;

export const TEXT: FieldShape = [(value) => typeof value === "string", "must be a text"];
export const FULL_TEXT: FieldShape = [
  (value) => typeof value === "string" && value !== "",
  "must be a text that is not empty",
];
export const FLAG: FieldShape = [(value) => typeof value === "boolean", "must be true or false"];
export const FUNCTION: FieldShape = [(value) => typeof value === "function", "must be a function"];
export const OBJECT: FieldShape = [isFields, "must be an object"];
export const LIST: FieldShape = [Array.isArray, "must be a list"];
export const COUNT: FieldShape = [
  (value) => typeof value === "number" && Number.isSafeInteger(value) && value >= 0,
  "must be a whole number from 0 on",
];

export const DNS_NAME: FieldShape = [
  (value) => {
    const name = parseDnsName(String(value));
    return name.ok && name.value === value;
  },
  "must be a DNS name in lower case, without the last dot",
];

/** One of these texts. */
export function oneOf(...texts: readonly string[]): FieldShape {
  return [(value) => texts.includes(String(value)), `must be ${texts.join(" or ")}`];
}

/** Null as well. */
export function orNull([isRight, must]: FieldShape): FieldShape {
  return [(value) => value === null || isRight(value), `${must} or null`];
}

/** Absent as well. */
export function orAbsent([isRight, must]: FieldShape): FieldShape {
  return [(value) => value === undefined || isRight(value), `${must} or absent`];
}

export const RECORD_SET: Shape = {
  ...{ name: DNS_NAME, type: FULL_TEXT, setIdentifier: orNull(FULL_TEXT), ttlSeconds: COUNT },
  ...{ values: LIST, properties: OBJECT, routingPolicy: orNull(OBJECT) },
};

/** `PATH.FIELD is missing: it must be …` of the first wrong field; null = all are right. */
export function wrongField(value: unknown, shape: Shape, path: string): string | null {
  if (!isFields(value)) return `${path} must be an object`;
  for (const [field, [isRight, must]] of Object.entries(shape)) {
    const given = value[field];
    if (isRight(given)) continue;
    const where = path === "" ? field : `${path}.${field}`;
    return given === undefined ? `${where} is missing: it ${must}` : `${where} ${must}`;
  }
  return null;
}

/** The same of each element of a list. */
export function wrongElement(value: unknown, shape: Shape, path: string): string | null {
  if (!Array.isArray(value)) return `${path} must be a list`;
  for (const [index, one] of value.entries()) {
    const wrong = wrongField(one, shape, `${path}[${index}]`);
    if (wrong !== null) return wrong;
  }
  return null;
}
