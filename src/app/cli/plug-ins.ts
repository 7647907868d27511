/**
 * The plug-ins that options can name, from the lists of sources and registries: config may not
 * import these.
 */
import type { PlugIns, SourceChoice } from "../../config/plug-ins.ts";
import { DNS_ENDPOINT, DNS_ENTRY } from "../../model/kinds.ts";
import { REGISTRIES } from "../../ownership/index.ts";
import { PROVIDER_TYPES } from "../../providers/index.ts";
import { SOURCES } from "../../sources/index.ts";
import type { SourceRow } from "../../sources/source.ts";

/** What `--controllers` can name of these sources: DNSEntries belong to `compound`. */
export function sourceChoices(rows: readonly SourceRow[]): readonly SourceChoice[] {
  return rows.flatMap(({ name, primary, publishes, isDefault, doc }) =>
    publishes === "itself"
      ? []
      : {
          name,
          isDefault,
          isGardeners: publishes === "entries",
          takesWebhooks: primary === DNS_ENDPOINT,
          copiesEntries: primary === DNS_ENTRY,
          doc: isDefault ? doc : `${doc}; not in all: write all,${name}`,
        },
  );
}

/** The plug-ins of this program. */
export const PLUG_INS: PlugIns = {
  controllers: sourceChoices(SOURCES),
  registries: REGISTRIES,
  providerTypes: PROVIDER_TYPES.map(({ type }) => ({ name: type, doc: "" })),
};
