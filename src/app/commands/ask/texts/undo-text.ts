/** Writes what is undone, or would be, for people. Pure. */
import { printable } from "../../../../model/printable.ts";
import type { RecordData } from "../../../../sync/contract/zone-change.ts";
import type { UndoDocument, UndoRow } from "../../../api/documents.ts";

const STATES: Readonly<Record<UndoRow["state"], string>> = {
  would: "would be undone",
  undone: "undone",
  open: "not undone yet",
  same: "left",
  left: "left",
};

/** A closing newline. */
export function undoText({ changes, shown, isDone, unknown }: UndoDocument): string {
  const isAny = (...states: readonly UndoRow["state"][]): boolean =>
    changes.some(({ state }) => states.includes(state));
  const names = new Set(
    changes.filter(({ state }) => state !== "same" && state !== "left").map(({ name }) => name),
  );
  const lines = [
    ...(changes.length === 0 ? ["There is nothing to undo."] : []),
    ...changes.flatMap(undoRowLines),
    ...unknown,
    ...(shown === "changed" ? ["It is not as it was shown before: nothing was undone."] : []),
    ...(isAny("would")
      ? [`The same with --yes does it, and pauses ${countText(names.size)} until resumed.`]
      : []),
    ...(isDone && names.size > 0
      ? [`Paused: ${countText(names.size)}. zonekeeper resume --name NAME ends it.`]
      : []),
  ];
  return `${lines.map(printable).join("\n")}\n`;
}

/** Writes what is undone of one record set, or would be, and what would change it again. */
export function undoRowLines(row: UndoRow): readonly string[] {
  const { zone, name, type, setIdentifier, from, to, state, reason, again } = row;
  const set = setIdentifier === null ? "" : ` (${setIdentifier})`;
  const what = `${name} ${type}${set} in ${zone}: ${dataText(from)} -> ${dataText(to)}`;
  const why = reason === "" ? "" : `: ${reason}`;
  const next = again === null ? [] : [`    ${again}`];
  return [`${STATES[state]}: ${what}${why}`, ...next];
}

function dataText(data: RecordData | null): string {
  return data === null ? "no record" : `${data.values.join(", ")} ttl ${data.ttlSeconds}`;
}

function countText(names: number): string {
  return names === 1 ? "this name" : `these ${names} names`;
}
