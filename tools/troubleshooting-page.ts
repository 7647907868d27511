/**
 * The page `docs/guides/troubleshooting.md`, made from the table of mistakes that test/real plays.
 * Pure; tools/generate-troubleshooting.ts writes it.
 */
import { CHANNELS, type Mistake } from "../test/real/mistakes/mistake.ts";
import { CHAPTERS, type Chapter } from "../test/real/mistakes/table.ts";

const CHANNEL_TITLES: Readonly<Record<(typeof CHANNELS)[number], string>> = {
  kubectl: "`kubectl apply`",
  status: "status",
  event: "Event",
  log: "log",
  explain: "`explain`",
  plan: "`plan --all`",
};

/** Markdown that ends in a newline; equal for equal tables. */
export function troubleshootingPage(): string {
  const contents = CHAPTERS.flatMap(({ title, rows }) => [
    `- ${title}`,
    ...rows.map((row) => `  - [${row.title}](#${row.id})`),
  ]);
  return `<!-- Generated from test/real/mistakes by tools/generate-troubleshooting.ts. Do not edit. -->
# Troubleshooting

Mistakes that users make, with what each channel says, word for word: \`test/real/user-mistakes.test.ts\` makes each of them
against a BIND and reads all places. Search this page for the words that you see.

Where to look, in this order: \`kubectl get dnse,dnspr\` (state and message), \`zonekeeper explain NAME\` (why one name is as it
is), \`zonekeeper plan --all\` (everything that is not as it should be), the log of the program. \`zonekeeper check\` looks at
clusters, rights and name servers, and writes nothing. An alert fired: [runbooks](runbooks.md).

In the tables \`MESSAGE\` stands for the message above the table, \`…\` for any text, \`SERVER\` for the address of the name
server. A channel that is not listed says nothing of its own.

${contents.join("\n")}

${CHAPTERS.map(chapterText).join("\n\n")}
`;
}

function chapterText({ title, rows }: Chapter): string {
  return [`## ${title}`, ...rows.map(rowText)].join("\n\n");
}

function rowText(row: Mistake): string {
  return [
    `### <a id="${row.id}"></a>${row.title}`,
    row.done,
    `> ${quoted(row.says.message)}`,
    channelTable(row),
    `Published: ${publishedText(row)}`,
    `**What to do.** ${row.mend}`,
  ].join("\n\n");
}

function channelTable({ says, exit }: Mistake): string {
  const rows = CHANNELS.flatMap((channel) => {
    const text = says[channel];
    const code = channel === "explain" ? ` (exit code ${exit})` : "";
    return text === undefined ? [] : [`| ${CHANNEL_TITLES[channel]}${code} | ${cell(text)} |`];
  });
  return ["| where | what it says |", "|---|---|", ...rows].join("\n");
}

/** Code, in which Markdown has no meaning; tables end cells at `|`. */
function cell(text: string): string {
  return `\`${text.replaceAll("|", "\\|")}\``;
}

/** Outside of code some characters have a meaning. */
function quoted(text: string): string {
  return text.replace(/[*_<>[\]`]/g, (sign) => `\\${sign}`);
}

function publishedText({ answers }: Mistake): string {
  if (answers === null) return "what the server has; nobody answers while it is down.";
  return answers.length === 0 ? "nothing." : `\`${answers.join("`, `")}\`, as before.`;
}
