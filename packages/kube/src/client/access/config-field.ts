/**
 * Reading fields of a kubeconfig with errors that name the file and the field, and never quote a
 * value.
 */
import { fromBase64 } from "@zonekeeper/base/bytes";
import { type Fields, isFields } from "../../objects/object-fields.ts";

/**
 * A part of a configuration that cannot be used. Caught at the edge of the parser, where it becomes
 * a Result.
 */
export class ConfigFault extends Error {
  override readonly name = "ConfigFault";
}

/** An entry of a file, e.g. the cluster `prod`. */
export interface ConfigEntry {
  readonly file: string;
  /** For messages: `users["me"]`. */
  readonly label: string;
  readonly fields: Fields;
}

/** The fault at a field. */
export function faultAt(entry: ConfigEntry, field: string, problem: string): ConfigFault {
  return new ConfigFault(`${entry.file}: ${entry.label}.${field}: ${problem}`);
}

/** A text; null when absent or empty. Throws ConfigFault when it is something else. */
export function textField(entry: ConfigEntry, field: string): string | null {
  const value = entry.fields[field];
  if (value === undefined || value === null || value === "") return null;
  if (typeof value !== "string") throw faultAt(entry, field, "must be a text");
  return value;
}

/** True or false; absent = false. */
export function flagField(entry: ConfigEntry, field: string): boolean {
  const value = entry.fields[field];
  if (value === undefined || value === null) return false;
  if (typeof value !== "boolean") throw faultAt(entry, field, "must be true or false");
  return value;
}

/** A list of texts; absent = empty. */
export function textsField(entry: ConfigEntry, field: string): readonly string[] {
  const value = entry.fields[field] ?? [];
  if (!Array.isArray(value)) throw faultAt(entry, field, "must be a list");
  return value.map((item: unknown) => {
    if (typeof item !== "string") throw faultAt(entry, field, "must be a list of texts");
    return item;
  });
}

/** Base64 of a text (PEM); null when absent. */
export function base64Field(entry: ConfigEntry, field: string): string | null {
  const value = textField(entry, field);
  if (value === null) return null;
  try {
    return new TextDecoder().decode(fromBase64(value.replace(/\s/g, "")));
  } catch {
    throw faultAt(entry, field, "is not base64");
  }
}

/** A path, relative ones taken from the folder of the file, as kubectl does. */
export function pathField(entry: ConfigEntry, field: string): string | null {
  const value = textField(entry, field);
  return value === null ? null : resolveFromFile(entry.file, value);
}

/** `path` as seen from the folder of `file`. */
export function resolveFromFile(file: string, path: string): string {
  const isAbsolute = /^(?:[/\\]|[A-Za-z]:[/\\])/.test(path);
  const folder = /^(.*[/\\])/.exec(file)?.[1] ?? "";
  return isAbsolute ? path : folder + path;
}

/** A nested object; null when absent. */
export function entryField(entry: ConfigEntry, field: string): ConfigEntry | null {
  const value = entry.fields[field];
  if (value === undefined || value === null) return null;
  if (!isFields(value)) throw faultAt(entry, field, "must be an object");
  return { file: entry.file, label: `${entry.label}.${field}`, fields: value };
}
