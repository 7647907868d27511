/** The text of docs/reference/sources.md: what is read and published, from the rows. Pure. */
import type { KindRef } from "@zonekeeper/kube/objects/kubernetes";
import type { SourceRow } from "../../src/sources/source.ts";

const PUBLISHES: Readonly<Record<SourceRow["publishes"], string>> = {
  entries: "DNSEntries, generated for each object",
  direct: "records in zones directly",
  itself: "records in zones; the controller `compound` reads it",
};

/** Markdown that ends in a newline. */
export function sourcesPage(rows: readonly SourceRow[]): string {
  return `<!-- Generated from src/sources/index.ts by tools/generate-sources.ts. Do not edit. -->
# Sources

A source reads the objects of one kind and says which records they want. \`zonekeeper run --controllers\` chooses sources by name;
\`all\` means those that are on by default. Every kind listed here needs get, list and watch in
[the ClusterRole](rights.md).

| source | reads | what it publishes | as | in \`all\` | in \`dev\` |
|---|---|---|---|---|---|
${rows.map(line).join("\n")}
`;
}

function line(row: SourceRow): string {
  const { name, primary, secondary, doc, isDefault, inDev } = row;
  const kinds = [primary, ...secondary].map(kindText).join(", ");
  const cells = [`\`${name}\``, kinds, doc, publishing(row), yesNo(isDefault), yesNo(inDev)];
  return `| ${cells.join(" | ")} |`;
}

function publishing({ publishes, publishesEither }: SourceRow): string {
  const other = "; with `--publish direct` records in zones directly";
  return `${PUBLISHES[publishes]}${publishesEither === true ? other : ""}`;
}

/** `networking.k8s.io/v1 Ingress`, `v1 Service`. */
function kindText({ group, version, kind }: KindRef): string {
  return `${group === "" ? "" : `${group}/`}${version} ${kind}`;
}

function yesNo(value: boolean): string {
  return value ? "yes" : "no";
}
