/** The page `docs/reference/external-dns-flags.md`, made from the table of flags. Pure. */
import type { FlagRow } from "../src/config/external-dns/flag-row.ts";
import { EXTERNAL_DNS_FLAGS } from "../src/config/external-dns/flags.ts";
import { EXTERNAL_DNS_SOURCES } from "../src/sources/external-dns-rows.ts";
import type { SourceRow } from "../src/sources/source.ts";

const INTRO = `<!-- Generated from src/config/external-dns/flags.ts by tools/generate-external-dns.ts. Do not edit. -->
# Flags of external-dns

\`zonekeeper run --dialect external-dns\` and \`check\` take the arguments of external-dns as they are, of v0.5 to v0.23, with \`EXTERNAL_DNS_…\`
variables, \`--no-…\` and \`$(NAME)\`. Options of [\`run\`](options.md#zonekeeper-run) may stand among them. What has no effect is told in one line for each
reason. What is refused would change records if it were left out: nothing starts, and all of it is told at once. A flag of another
\`--provider\` than the one that is given has no effect. The [guide](../guides/coming-from-external-dns.md) leads from a Deployment to a running Zonekeeper.`;

const EFFECTS: Readonly<Record<FlagRow["effect"], (row: FlagRow) => string>> = {
  works: ({ text }) => text,
  idle: ({ text }) => `no effect: ${text}`,
  refused: ({ text, harmless }) => {
    const unless = harmless.map((one) => `\`${one}\``).join(" or ");
    return `**refused**${unless === "" ? "" : ` unless ${unless}`}: ${text}`;
  },
};

function line(row: FlagRow): string {
  const { name, type, since, until, choices } = row;
  const versions = [
    ...(since === null ? [] : [`since ${since}`]),
    ...(until === null ? [] : [`until ${until}`]),
  ].join(", ");
  const value = choices.length > 0 ? choices.join(" \\| ") : type;
  return `| \`--${name}\` | ${value} | ${versions} | ${EFFECTS[row.effect](row)} |`;
}

const MESHES = `A kind whose definition is not installed has no objects; it is read as soon as it is served, in this version.

- Routes of Gateway API: [what a name is, and when it is published](sources.md#routes-of-gateway-api). The annotation \`gateway-hostname-source\` chooses between
  \`spec.hostnames\` and the annotation \`hostname\`. Names of Gateways that \`--gateway-name\`, \`--gateway-namespace\`, \`--gateway-label-filter\` or the annotation
  \`controller\` leave out keep what stands.
- Istio: the targets of a Gateway are those of its annotation \`target\`, else of the Ingress that its annotation \`ingress\` names, else of all Services whose selector
  has every label of the Gateway's: \`externalIPs\`, else the load balancer. A Gateway that selects nothing is a problem, and not published for all Services.
- A VirtualService is published for the Gateways that it names and whose servers have its host for its namespace (\`exportTo\` counts); what is for the mesh
  alone is not published. A host that no server has waits (\`NoListener\`); a Gateway or Ingress that is missing is a problem, and nothing of the object is removed
  (\`RouteNotAttached\`). Names of one label and those of clusters are left out.
- While a load balancer, router or Gateway reports no address, names keep what stands.`;

function sourceLine({ name, primary, doc }: SourceRow): string {
  const { group, version, kind } = primary;
  return `| \`${name}\` | ${group === "" ? "" : `${group}/`}${version} ${kind} | ${doc} |`;
}

/** Markdown that ends in a newline. */
export function externalDnsPage(): string {
  const providers = [...new Set(EXTERNAL_DNS_FLAGS.map(({ provider }) => provider))];
  const sections = providers.map((provider) => {
    const rows = EXTERNAL_DNS_FLAGS.filter((row) => row.provider === provider);
    const title = provider === null ? "Of any provider" : `Of --provider=${provider}`;
    return `## ${title}\n\n| flag | value | version | what becomes of it |\n|---|---|---|---|\n${rows.map(line).join("\n")}`;
  });
  const sources = EXTERNAL_DNS_SOURCES.filter(({ publishes }) => publishes !== "itself");
  const table = `## Sources\n\n| source | reads | what it publishes |\n|---|---|---|\n${sources.map(sourceLine).join("\n")}`;
  return `${[INTRO, table, MESHES, ...sections].join("\n\n")}\n`;
}
