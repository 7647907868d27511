/** Imports for people: one paragraph each. Pure. */
import { printable } from "../../../../model/printable.ts";
import type { ImportDocument, ImportsDocument } from "../../../api/documents.ts";

const NAMED = 10;

/** A closing newline. */
export function importsText({ imports, now }: ImportsDocument): string {
  if (imports.length === 0) return "Nothing is imported; --import ZONE=NAMESPACE does it.\n";
  return imports.map((one) => paragraph(one, Date.parse(now))).join("\n");
}

function paragraph(one: ImportDocument, nowMs: number): string {
  const { zone, namespace, trouble, inSync, pending, skipped, held, readAt } = one;
  const age = readAt === null ? null : Math.max(0, Math.round((nowMs - Date.parse(readAt)) / 1000));
  const read = age === null ? "not read yet" : `as the zone was ${age} s ago`;
  const lines = [
    `${zone} -> namespace ${namespace}: ${inSync} ${inSync === 1 ? "host" : "hosts"}, ${pending} to write or remove (${read})`,
    ...(trouble === null ? [] : [`  nothing is written or removed: ${trouble}`]),
    ...heldLines(held),
    ...skipped.flatMap(({ reason, count, hosts }) => [
      `  not imported, ${reason}  ${hosts.slice(0, NAMED).join(", ")}${
        count > NAMED ? ` and ${count - NAMED} more` : ""
      }`,
    ]),
  ];
  return `${lines.map(printable).join("\n")}\n`;
}

function heldLines(held: ImportDocument["held"]): readonly string[] {
  if (held === null) return [];
  const { hash, names } = held;
  const more = names.length > NAMED ? ` and ${names.length - NAMED} more` : "";
  return [
    `  ${names.length} objects wait whose hosts are gone from the zone: ${names.slice(0, NAMED).join(", ")}${more}`,
    `  to remove them: zonekeeper approve ${hash}`,
  ];
}
