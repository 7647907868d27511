/** What leaving for external-dns would lose, for people. Pure. */
import type { ExportedZone } from "../../../api/export-external-dns.ts";

/** Remarks that are equal stand together; each with its records. */
export function exportText(zones: readonly ExportedZone[], blind: readonly string[]): string {
  const lines = zones.flatMap(({ zone, records, remarks }) => {
    const concerned = new Set(remarks.map(({ name, type }) => `${name} ${type}`)).size;
    const head =
      concerned === 0
        ? `zone ${zone}: external-dns understands and keeps all ${records} record sets`
        : `zone ${zone}: of ${records} record sets external-dns does not understand ${concerned}, or not wholly, or removes them`;
    return [head, ...remarks.map(({ name, type, message }) => `  ${name} ${type}: ${message}`)];
  });
  return `${[...lines, ...blind].join("\n")}\n`;
}
