/**
 * The rules that kinds have beyond their schema, as values: each kind lists its own. A path such as
 * `spec.ports[].port` selects all values at that path; an absent value breaks only `required`.
 */
import { type FieldError, forbidden, missing, unsupported, wrong } from "../errors/api-error.ts";
import { equalJson, valueAt } from "../json/json.ts";
import type { ServedKind, StoredObject } from "../objects/served-kind.ts";
import { isIpv4, isIpv6 } from "../schema/schema-formats.ts";

/** RFC 1123 §2.1 label. */
export const LABEL = /^[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?$/;
export const LABEL_TEXT =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character";

/** Field errors of an object; `previous` null = create. Empty = valid. */
export type Rule = ServedKind["check"];

/** A value and the field that holds it. */
export interface FieldValue {
  readonly field: string;
  /** Undefined = the field is absent. */
  readonly value: unknown;
}

/** All rules, in their order. */
export const all =
  (...rules: readonly Rule[]): Rule =>
  (object, previous) =>
    rules.flatMap((rule) => rule(object, previous));

/** The values at a path; `[]` behind a step = each item of the list. */
export function valuesAt(value: unknown, path: string): readonly FieldValue[] {
  let found: readonly FieldValue[] = [{ field: "", value }];
  for (const step of path.split(".")) found = found.flatMap((each) => below(each, step));
  return found;
}

function below({ field, value }: FieldValue, step: string): readonly FieldValue[] {
  const name = step.replace("[]", "");
  const where = field === "" ? name : `${field}.${name}`;
  const child = valueAt(value, name);
  if (name === step) return [{ field: where, value: child }];
  const items: readonly unknown[] = Array.isArray(child) ? child : [];
  return items.map((item, index) => ({ field: `${where}[${index}]`, value: item }));
}

/** No value is wrong; `errorOf` says of one that is what is wrong with it. */
const none =
  (
    path: string,
    isWrong: (value: unknown) => boolean,
    errorOf: (field: string, value: unknown) => FieldError,
  ): Rule =>
  (object) =>
    valuesAt(object, path)
      .filter(({ value }) => isWrong(value))
      .map(({ field, value }) => errorOf(field, value));

const isEmpty = (value: unknown): boolean => value === undefined || value === "";

/** Every value that is there passes the test. */
export const passes = (path: string, test: (value: unknown) => boolean, detail: string): Rule =>
  none(
    path,
    (value) => value !== undefined && !test(value),
    (field, value) => wrong(field, value, detail),
  );

/** Texts that are not empty match. */
export const matches = (path: string, pattern: RegExp, detail: string): Rule =>
  passes(path, (value) => typeof value !== "string" || value === "" || pattern.test(value), detail);

/** Something other than the empty text is there. */
export const required = (path: string, detail = ""): Rule =>
  none(path, isEmpty, (field) => missing(field, detail));

/** Nothing is there, or the empty text. */
export const absent = (path: string, detail: string): Rule =>
  none(
    path,
    (value) => !isEmpty(value),
    (field) => forbidden(field, detail),
  );

/** One of `supported`, which is sorted. */
export const oneOf = (path: string, supported: readonly string[]): Rule =>
  none(
    path,
    (value) => typeof value === "string" && !supported.includes(value),
    (field, value) => unsupported(field, value, supported),
  );

/** TCP, UDP or SCTP. */
export const protocol = (path: string): Rule => oneOf(path, ["SCTP", "TCP", "UDP"]);

/** A number is that of a port; `least` 0 = 0 is allowed and means none. */
export const portNumber = (path: string, least = 1): Rule =>
  passes(
    path,
    (value) => typeof value !== "number" || (value >= least && value <= 65_535),
    "must be between 1 and 65535, inclusive",
  );

export const ADDRESS_TEXT = "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)";

/** An IP address of either family, or the empty text. */
export const address = (path: string): Rule =>
  passes(
    path,
    (value) => typeof value !== "string" || value === "" || isIpv4(value) || isIpv6(value),
    ADDRESS_TEXT,
  );

/** No two items have equal values, of those that `shown` gives; null = the item does not count. */
export function distinct(
  path: string,
  shown: (item: unknown) => unknown = (item) => item || null,
): Rule {
  return (object) => {
    const found = valuesAt(object, path).map(({ field, value }) => ({
      field,
      value: shown(value),
    }));
    const isRepeated = (value: unknown, index: number): boolean =>
      value !== null && found.slice(0, index).some((each) => equalJson(each.value, value));
    return found
      .filter(({ value }, index) => isRepeated(value, index))
      .map(({ field, value }) => ({ field, reason: "FieldValueDuplicate", value, detail: "" }));
  };
}

/** A list has at most `max` items. */
export const atMost =
  (path: string, max: number): Rule =>
  (object) =>
    valuesAt(object, path)
      .map(({ field, value }) => ({ field, count: Array.isArray(value) ? value.length : 0 }))
      .filter(({ count }) => count > max)
      .map(({ field, count }) => ({
        field,
        reason: "FieldValueTooMany",
        value: count,
        detail: `must have at most ${max} items`,
      }));

/** The value stays as it was when the object was created. */
export const immutable =
  (path: string): Rule =>
  (object, previous) =>
    previous === null
      ? []
      : valuesAt(object, path)
          .filter(({ value }) => !equalJson(value, valuesAt(previous, path)[0]?.value))
          .map(({ field, value }) => wrong(field, value, "field is immutable"));

/** Where a list has several items, each has a name. */
export const named =
  (path: string): Rule =>
  (object) =>
    valuesAt(object, path)
      .filter(({ value }) => Array.isArray(value) && value.length > 1)
      .flatMap(({ field, value }) =>
        valuesAt({ value }, "value[].name")
          .filter((each) => each.value === undefined || each.value === "")
          .map((each) => missing(each.field.replace("value", field))),
      );

/** The rule holds for the objects that the test picks. */
export const when =
  (test: (object: StoredObject) => boolean, rule: Rule): Rule =>
  (object, previous) =>
    test(object) ? rule(object, previous) : [];
