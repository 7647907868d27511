/** Why a name is as it is, for people. Pure. */
import type { DnsName } from "../../model/dns-name.ts";
import { resourceOf } from "../../model/provenance.ts";
import type { NameExplanation } from "../../sync/contract.ts";
import { toUnicode } from "../ports/idna.ts";
import { recordText } from "./record-text.ts";

/** One block for each zone that could hold the name; a closing newline. */
export function explainText(name: DnsName, zones: readonly NameExplanation[]): string {
  if (zones.length === 0) return `${shownName(name)}: no open zone could hold it.\n`;
  return `${zones.map(block).join("\n\n")}\n`;
}

function block(it: NameExplanation): string {
  return [
    `${shownName(it.name)} in zone ${it.zone.zone}`,
    ...section(
      "wanted",
      it.desired.map((set) => `${recordText(set)}   by ${resourceOf(set.provenance)}`),
      "by nobody",
    ),
    ...section("in the zone", it.current.map(recordText), "nothing"),
    `  owner: ${ownerText(it)}`,
    ...section(
      "held",
      it.holds.map((hold) => `${hold.key.type}: ${hold.code}: ${hold.message}`),
      null,
    ),
    ...(it.lastOutcome === null ? [] : [`  last outcome: ${it.lastOutcome}`]),
    ...(it.nextTryAtMs === null ? [] : [`  next try: ${new Date(it.nextTryAtMs).toISOString()}`]),
  ].join("\n");
}

/** An international name in both forms: the A-label is what DNS has and what nobody can imitate. */
function shownName(name: DnsName): string {
  const unicode = toUnicode(name);
  return unicode === null ? name : `${name} (${unicode})`;
}

function ownerText({ owner, resource, current }: NameExplanation): string {
  if (owner !== null) return resource === null ? owner : `${owner}, for ${resource}`;
  return current.length === 0 ? "none" : "none: the record is foreign and is not touched";
}

function section(
  title: string,
  lines: readonly string[],
  otherwise: string | null,
): readonly string[] {
  if (lines.length === 0) return otherwise === null ? [] : [`  ${title}: ${otherwise}`];
  return [`  ${title}:`, ...lines.map((line) => `    ${line}`)];
}
