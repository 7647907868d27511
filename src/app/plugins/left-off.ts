/**
 * Notes of plug-ins that looped, in a file of the data folder: the next start leaves them off. A
 * note is about a module's content, so that a mended module is tried again by itself.
 */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { messageOf } from "@zonekeeper/base/operation-error";
import { fail, ok, type Result } from "@zonekeeper/base/result";
import { fieldsOf, isFields } from "@zonekeeper/kube/objects/object-fields";
import { readIfThere, writeDurably } from "../ports/durable-file.ts";

/** A module as it is now. */
export interface ModuleFile {
  /** As `--plugin` names it. */
  readonly given: string;
  /** Absolute path. */
  readonly file: string;
  /** Of that file alone, not of what it imports; empty = it cannot be read. */
  readonly hash: string;
}

/** What is known of a module that did not come back from a call. */
export interface LeftOffNote extends ModuleFile {
  readonly call: string;
  /** RFC 3339. */
  readonly at: string;
}

/** SHA-256 of its content. */
export function moduleFile(given: string, file: string): ModuleFile {
  try {
    return { given, file, hash: createHash("sha256").update(readFileSync(file)).digest("hex") };
  } catch {
    return { given, file, hash: "" };
  }
}

/** The note about this very content; null = none. */
export function noteOf(
  { file, hash }: ModuleFile,
  notes: readonly LeftOffNote[],
): LeftOffNote | null {
  return notes.find((note) => hash !== "" && note.file === file && note.hash === hash) ?? null;
}

/** No file = no notes. A failure says what to do. */
export function readNotes(file: string): Result<readonly LeftOffNote[]> {
  try {
    const notes: unknown = JSON.parse(readIfThere(file) ?? "[]");
    if (Array.isArray(notes) && notes.every(isNote)) return ok(notes);
    return fail(`${file} cannot be understood: remove it`);
  } catch (error) {
    return fail(`${file} cannot be read: ${messageOf(error)}. Mend or remove it`);
  }
}

/** Adds it, durably; of each module that is given the last one stays. Throws as files do. */
export function writeNote(file: string, note: LeftOffNote, given: readonly ModuleFile[]): void {
  const notes = readNotes(file);
  const others = (notes.ok ? notes.value : []).filter(
    (one) => one.file !== note.file && given.some((module) => module.file === one.file),
  );
  writeDurably(file, `${JSON.stringify([...others, note], null, 2)}\n`);
}

/** What it did and what to do: goes on after `the plug-in acme (./acme.js) `. */
export function leftOffText({ call, at }: LeftOffNote, file: string): string {
  return `is left off: it did not come back from ${call} (${at}). A mended module is tried again at the next start; to try this one, remove ${file} and start again`;
}

function isNote(value: unknown): value is LeftOffNote {
  const fields = fieldsOf(value);
  const texts = ["given", "file", "hash", "call", "at"];
  return isFields(value) && texts.every((field) => typeof fields[field] === "string");
}
