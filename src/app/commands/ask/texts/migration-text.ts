/**
 * A migration of markers for people. Pure; nothing reads it back. Never shows what a marker says:
 * it may be encrypted.
 */
import { printable } from "../../../../model/printable.ts";
import type { Change } from "../../../../plan/changes.ts";
import type { MigrationItem, MigrationReport } from "../../../../sync/contract/migration.ts";

/** One block for each zone; a closing newline. */
export function migrationText(zones: readonly MigrationReport[]): string {
  return `${zones.map(zoneText).join("\n\n")}\n`;
}

function zoneText({
  apex,
  trouble,
  hasForms,
  outdated,
  stuck,
  items,
  unlisted,
}: MigrationReport): string {
  if (trouble !== null) return `zone ${apex}: cannot be read: ${printable(trouble)}`;
  if (!hasForms)
    return `zone ${apex}: its registry has one form of markers, so there is nothing to migrate`;
  if (outdated + stuck === 0)
    return `zone ${apex}: all markers of this installation have this form`;
  const head = `zone ${apex}: ${outdated} names to migrate, ${stuck} that cannot be migrated`;
  const rest = unlisted > 0 ? [`  and ${unlisted} more`] : [];
  return [head, ...items.flatMap(itemLines), ...rest].join("\n");
}

function itemLines({ name, writes, holds }: MigrationItem): readonly string[] {
  return [
    ...writes.map((write) => `  ${name}: ${writeText(write)}`),
    ...holds.map((hold) => `  ${name}: held ${hold.key.type}: ${hold.code}: ${hold.message}`),
  ];
}

function writeText(write: Change): string {
  if (write.op === "create") return `+ TXT ${write.next.name}`;
  if (write.op === "remove") return `- TXT ${write.previous.name}`;
  return `~ TXT ${write.next.name} (another form)`;
}
