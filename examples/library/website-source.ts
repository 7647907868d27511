/**
 * A source for a custom kind: each Website (acme.example.org/v1) has the name of its `spec.host`,
 * with the addresses of its `spec.addresses`.
 *   zonekeeper run --plugin ./website-source.js …
 */
import {
  canonicalValues,
  type DesiredRecordSet,
  desiredSets,
  type Found,
  fieldsOf,
  type KubeObject,
  NOTHING,
  objectKeyOf,
  type PluginModule,
  parseDnsName,
  parseRdata,
  resourceOf,
  type SourceRow,
  textOf,
  textsOf,
} from "zonekeeper/source";

export const WEBSITE_DNS: SourceRow = {
  name: "website-dns",
  primary: {
    group: "acme.example.org",
    version: "v1",
    kind: "Website",
    plural: "websites",
    namespaced: true,
  },
  secondary: [],
  isDefault: true,
  inDev: true,
  publishes: "direct",
  writesStatus: true,
  nameFields: ["spec.host"],
  keptFields: ["spec"],
  doc: "the host of each Website",
  open: () => ({ endpoints: (object, view) => endpoints(object, view.clusterId) }),
};

export const plugin: PluginModule = { api: 1, name: "acme-websites", sources: [WEBSITE_DNS] };

function endpoints(object: KubeObject, cluster: string): Found<DesiredRecordSet> {
  const { host, addresses } = fieldsOf(object["spec"]);
  const name = parseDnsName(textOf(host) ?? "");
  if (!name.ok) return unread(object, "spec.host", name.error);
  const read = (textsOf(addresses) ?? []).map((text) => {
    const type = text.includes(":") ? "AAAA" : "A";
    return { type, value: parseRdata(type, text) };
  });
  const values = (type: string): readonly string[] =>
    canonicalValues(
      read.flatMap((one) => (one.type === type && one.value.ok ? one.value.value : [])),
    );
  const wrong = read.find(({ value }) => !value.ok);
  if (wrong !== undefined) return unread(object, "spec.addresses", `a wrong ${wrong.type}`);
  const typed = ["A", "AAAA"].map((type) => ({ type, values: values(type) }));
  const items = desiredSets(
    name.value,
    typed.filter((one) => one.values.length > 0),
    { object, provenance: objectKeyOf(object, cluster), ttlSeconds: null },
  );
  return { ...NOTHING, items };
}

/** What cannot be read keeps what there is: `complete: false`. */
function unread(object: KubeObject, field: string, why: string): Found<never> {
  const subject = resourceOf(objectKeyOf(object, ""));
  const problem = { code: "InvalidWebsite", subject, message: `${field}: ${why}`, field };
  return { ...NOTHING, problems: [problem], complete: false };
}
