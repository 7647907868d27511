/** The page `docs/reference/external-dns-flags.md`, made from the table of flags. Pure. */
import type { FlagRow } from "../src/config/external-dns/flag-row.ts";
import { EXTERNAL_DNS_FLAGS } from "../src/config/external-dns/flags.ts";

const INTRO = `<!-- Generated from src/config/external-dns/flags.ts by tools/generate-external-dns.ts. Do not edit. -->
# Flags of external-dns

\`zonekeeper run --dialect external-dns\` and \`check\` take the arguments of external-dns as they are, of v0.5 to v0.22, with \`EXTERNAL_DNS_…\`
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

/** Markdown that ends in a newline. */
export function externalDnsPage(): string {
  const providers = [...new Set(EXTERNAL_DNS_FLAGS.map(({ provider }) => provider))];
  const sections = providers.map((provider) => {
    const rows = EXTERNAL_DNS_FLAGS.filter((row) => row.provider === provider);
    const title = provider === null ? "Of any provider" : `Of --provider=${provider}`;
    return `## ${title}\n\n| flag | value | version | what becomes of it |\n|---|---|---|---|\n${rows.map(line).join("\n")}`;
  });
  return `${[INTRO, ...sections].join("\n\n")}\n`;
}
