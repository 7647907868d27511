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

A kind whose definition is not installed has no objects: \`zonekeeper check\` says so, and \`run\` reads it as soon as it is served, in this version.

## Routes of Gateway API

- A name is what a host of \`spec.hostnames\` and the hostname of a listener have in common: of \`*.example.org\` and \`a.example.org\` it is \`a.example.org\`. A
  route without hosts has those of its listeners. The annotation \`hostname\` of external-dns adds hosts.
- A listener counts if \`status.parents\` says \`Accepted\` for the parent, and sectionName, port, protocol and allowedRoutes fit. A ListenerSet has to be
  let in and accepted by its Gateway, and so do its listeners.
- Targets are the IP addresses and host names in \`status.addresses\` of the Gateway. The annotation \`target\` of external-dns on the ListenerSet, else on the
  Gateway, comes first; on a route it says nothing.
- While a parent is missing or does not accept the route (\`RouteNotAttached\`) nothing of the route is removed. A host that no listener has waits (\`NoListener\`).

## ServiceEntries of Istio

- Published is what has the annotation \`zonekeeper.dev/publish: "true"\`, and all of \`--serviceentry-namespaces\` without \`"false"\`.
- Hosts get the IP addresses of \`spec.addresses\`, else those of the endpoints (resolution STATIC), else a CNAME to the one endpoint (DNS). Never
  \`status.addresses\`: each mesh allocates its own.
- With \`zonekeeper.dev/srv: "true"\` the port \`https\` is \`_https._tcp.HOST SRV 0 0 PORT HOST\`, too (RFC 2782). A name of a port that does not begin with the port's protocol
  gets it in front: \`web\` of HTTP is \`_http-web\`. PORT is where clients reach it: that of the endpoints (\`targetPort\`, \`endpoints[].ports\`), if these have the addresses. The target
  is HOST, or what HOST is an alias of. [Imports](service-entries.md) read them back.
- Networks, sockets, resolution NONE and several DNS endpoints are problems of the object (\`InvalidServiceEntry\`), and so are names below cluster.local,
  clusterset.local and service.consul. \`*\` is no name.
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
