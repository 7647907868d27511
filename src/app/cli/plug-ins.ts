/**
 * The plug-ins that options can name, from the lists of sources, providers and registries: config
 * may not import these.
 */
import type { PlugIns, SourceChoice } from "../../config/option.ts";
import { DNS_ENDPOINT, DNS_ENTRY } from "../../model/kinds.ts";
import type { SourceRow } from "../../sources/source.ts";
import { OWN_ROWS, type Rows } from "../plugins/rows.ts";

/** What `--controllers` can name of these sources: DNSEntries belong to `compound`. */
export function sourceChoices(rows: readonly SourceRow[]): readonly SourceChoice[] {
  const chosen = rows.filter(({ publishes }) => publishes !== "itself");
  return chosen.map(({ name, primary, publishes, isDefault, doc }) => ({
    ...{ name, isDefault, isGardeners: publishes === "entries" },
    takesWebhooks: primary === DNS_ENDPOINT,
    copiesEntries: primary === DNS_ENTRY,
    doc: isDefault ? doc : `${doc}; not in all: write all,${name}`,
  }));
}

/** What options can name of these parts. */
export function plugInsOf({ sources, registries, providers, options }: Rows): PlugIns {
  return {
    controllers: sourceChoices(sources),
    registries,
    options,
    providerTypes: providers.map(({ type }) => ({ name: type, doc: "" })),
  };
}

/** The plug-ins of this program. */
export const PLUG_INS: PlugIns = plugInsOf(OWN_ROWS);
