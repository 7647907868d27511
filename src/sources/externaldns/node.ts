/**
 * Node → records as external-dns has them (`source/node.go` @v0.22): its own name, or those of
 * templates, get its external addresses, else the internal ones.
 */
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import { writtenNames } from "../shared/external-annotations.ts";
import { NOTHING, sourceOf } from "../source.ts";
import { type NamedTargets, namedRecords, rulesOf, type WantedNames } from "./named-records.ts";
import { isCounted, publicAddresses } from "./node-addresses.ts";
import { withTemplates } from "./templated-names.ts";

/** The source `node` of external-dns: core/v1 Nodes. */
export const node = sourceOf((object, view, options) => {
  const rules = rulesOf(options);
  if (!isCounted(object, rules)) return NOTHING;
  const targets = publicAddresses([object], rules);
  const reported = { targets, reporter: "the node", field: "status.addresses" };
  const each = (names: readonly DnsName[]): WantedNames => ({
    named: names.map((name): NamedTargets => [name, reported]),
    problems: [],
  });
  const { names, pairs, isAdding } = rules.templates;
  const isNamed = isAdding || (names === null && pairs === null);
  const own = writtenNames(isNamed ? [[object.metadata.name, "metadata.name"]] : []);
  const wanted = withTemplates(
    object,
    { ...each(own.names), problems: own.problems },
    { source: "node", rules: rules.templates, takes: "pairs", namesOf: each },
  );
  return namedRecords({ object, options, cluster: view.clusterId, wanted });
});
