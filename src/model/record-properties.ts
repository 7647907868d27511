/**
 * What record sets have besides plain DNS, as an annotation says it: JSON, `{"proxied":"true"}`.
 * Reads and writes the form only; which properties there are is said by each provider's `audit`.
 */

import { compareText } from "@zonekeeper/base/compare-text";
import { jsonIn } from "@zonekeeper/base/json-text";
import { fail, ok, type Result } from "@zonekeeper/base/result";
import { isFields } from "@zonekeeper/kube/objects/object-fields";
import type { RecordSet } from "./record-set.ts";

type Properties = RecordSet["properties"];

/** `false` and an empty text are what is without the property. */
export function readProperties(text: string): Result<Properties> {
  const value = jsonIn(text);
  if (!isFields(value)) return fail(NO_OBJECT);
  const entries = Object.entries(value);
  const odd = entries.find(([, one]) => typeof one !== "string");
  if (odd !== undefined) return fail(`the property ${odd[0]} is no text; write it in quotes`);
  return ok(sorted(entries.filter(([, one]) => one !== "" && one !== "false")));
}

const NO_OBJECT = 'it is no JSON object; write e.g. {"proxied":"true"}';

/** As `readProperties` reads it; equal properties have one text. Null = there are none. */
export function propertiesText(properties: Properties): string | null {
  const entries = Object.entries(properties);
  return entries.length === 0 ? null : JSON.stringify(sorted(entries));
}

function sorted(entries: readonly (readonly [string, unknown])[]): Properties {
  const texts = entries.map(([key, text]): [string, string] => [key, String(text)]);
  return Object.fromEntries(texts.sort(([a], [b]) => compareText(a, b)));
}
