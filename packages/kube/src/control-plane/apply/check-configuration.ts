/**
 * Whether an applied configuration fits its schema, before it is merged: fields are declared,
 * values have the type, no list item comes twice. Pure. structured-merge-diff typed/validate.go.
 */
import { isObject } from "../json/json.ts";
import type { Schema } from "../schema/schema.ts";
import { type PathElement, pathText } from "./field-set.ts";
import { fieldSchema, itemElement, mergeRule } from "./merge-rule.ts";

/** Faults that are listed at most. */
const FAULTS_MAX = 50;

/** What is wrong, in the order of the document; empty = nothing. */
export function configurationFaults(schema: Schema, value: unknown): readonly string[] {
  const faults: string[] = [];
  check(schema, value, [], faults);
  return faults.slice(0, FAULTS_MAX);
}

function check(
  schema: Schema,
  value: unknown,
  path: readonly PathElement[],
  faults: string[],
): void {
  if (faults.length >= FAULTS_MAX || value === null) return;
  const wanted = wantedForm(schema);
  if (wanted !== null && wanted !== formOf(value))
    faults.push(`${pathText(path)}: expected ${wanted}, got ${formOf(value)}`);
  else if (isObject(value)) checkFields(schema, value, path, faults);
  else if (Array.isArray(value)) checkItems(schema, value, path, faults);
}

function checkFields(
  schema: Schema,
  value: object,
  path: readonly PathElement[],
  faults: string[],
): void {
  for (const [name, child] of Object.entries(value)) {
    const at = [...path, `f:${name}`];
    const below = fieldSchema(schema, name);
    if (below === null) faults.push(`${pathText(at)}: field not declared in schema`);
    else check(below, child, at, faults);
  }
}

function checkItems(
  schema: Schema,
  value: readonly unknown[],
  path: readonly PathElement[],
  faults: string[],
): void {
  const rule = mergeRule(schema, value);
  const seen = new Set<PathElement>();
  for (const [index, child] of value.entries()) {
    const element = rule.as === "items" ? itemElement(rule, child) : `i:${index}`;
    if (seen.has(element))
      faults.push(`${pathText(path)}: duplicate entries for key ${pathText([element])}`);
    seen.add(element);
    check(schema.items ?? ANYTHING, child, [...path, element], faults);
  }
}

const ANYTHING: Schema = { "x-kubernetes-preserve-unknown-fields": true };

/** Null = anything goes. */
function wantedForm(schema: Schema): string | null {
  if (schema["x-kubernetes-int-or-string"] === true || schema.type === undefined) return null;
  if (schema.type === "object") return "map";
  if (schema.type === "array") return "list";
  return schema.type === "integer" || schema.type === "number" ? "numeric" : schema.type;
}

/** The form of a value as messages name it. */
function formOf(value: unknown): string {
  if (Array.isArray(value)) return "list";
  if (isObject(value)) return "map";
  return typeof value === "number" ? "numeric" : typeof value;
}
