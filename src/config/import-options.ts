/** What comes in from zones: rows of the option table, and their values. */
import { fail, ok } from "@zonekeeper/base/result";
import { parseDnsName } from "@zonekeeper/dns/names/dns-name";
import { type ImportPort, type ImportRules, portOf } from "../model/imports.ts";
import { namespaceName, type OptionReader, quoting, type ReadText } from "./option-reader.ts";
import { BOTH, list, rows } from "./option-row.ts";

/** In the order of the help text. */
export const IMPORT_OPTIONS = rows(BOTH, {
  import: list(
    "Zones whose hosts become ServiceEntries of Istio, as ZONE=NAMESPACE: the apex of a zone that a DNSProvider leads into (its id, where several have that apex) and a namespace of the source cluster for the objects. Default: none.",
  ),
  "import-ports": list(
    "Ports of imported hosts that have no SRV records: https/443 or tcp-pg/5432; the name begins with the protocol, as Istio selects it. Default: such hosts are not imported (NoPorts).",
  ),
  "import-domains": list(
    "Only hosts at or below these names are imported. Default: all of the zone.",
  ),
  "import-exclude": list("Hosts at or below these names are not imported. Default: none."),
});

/** One for each zone. */
export function readImports(reader: OptionReader): readonly ImportRules[] {
  const pairs = reader.each("import", zoneAndNamespace);
  const ports = reader.each("import-ports", port);
  const domains = reader.each("import-domains", quoting("is not a domain", parseDnsName));
  const excluded = reader.each("import-exclude", quoting("is not a domain", parseDnsName));
  for (const [field, of] of [
    ["zone", pairs.map(({ zone }) => zone)],
    ["name of a port", ports.map(({ name }) => name)],
    ["number of a port", ports.map(({ number }) => String(number))],
  ] as const) {
    const twice = of.find((text, at) => of.indexOf(text) !== at);
    const option = field === "zone" ? "import" : "import-ports";
    if (twice !== undefined)
      reader.refuse(option, `the ${field} ${twice} is there twice; write it once`);
  }
  if (pairs.length === 0)
    for (const name of ["import-ports", "import-domains", "import-exclude"])
      if (reader.options.list(name).length > 0)
        reader.conflict(name, "nothing is imported; write --import ZONE=NAMESPACE, too");
  return pairs.map((pair) => ({ ...pair, ports, domains, excluded }));
}

const zoneAndNamespace: ReadText<Pick<ImportRules, "zone" | "namespace">> = (text) => {
  const at = text.lastIndexOf("=");
  const zone = text.slice(0, at).trim();
  if (at < 1 || zone === "")
    return fail(`${JSON.stringify(text)} is not ZONE=NAMESPACE; write example.org=mesh-import`);
  const namespace = namespaceName(text.slice(at + 1).trim());
  if (!namespace.ok) return namespace;
  const name = parseDnsName(zone);
  return ok({
    zone: name.ok && zone.includes(".") ? name.value : zone,
    namespace: namespace.value,
  });
};

const PORT = /^([a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?)\/(\d{1,5})$/;

const port: ReadText<ImportPort> = (text) => {
  const [, name, digits] = PORT.exec(text) ?? [];
  const number = Number(digits);
  if (name === undefined || number < 1 || number > 65_535)
    return fail(`${JSON.stringify(text)} is not NAME/PORT; write https/443 or tcp-pg/5432`);
  return ok(portOf(name, number));
};
