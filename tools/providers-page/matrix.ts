/**
 * The page of what each provider is tried with, from a run of the conformance suite: a row for each
 * check, a column for each provider type, and one for each mode that writes in another way. A check
 * that a back end is not asked, or is known to fail, has its reason.
 */

/** As vitest's JSON reporter tells a case. */
export interface RunCase {
  readonly ancestorTitles: readonly string[];
  readonly title: string;
  readonly status: string;
  readonly meta?: {
    readonly unsupported?: string;
    /** Requests by what they were for: `1 + 2`, those that write and those that read. */
    readonly calls?: Readonly<Record<string, string>>;
  };
}

/** Suites of one type are called by it, and by what they vary: `aws-route53, common errors`. */
const SUITE = /^provider conformance: (?<subject>[^,]+)/;
/** The embedded name server is asked through rfc2136, as BIND, Knot and PowerDNS are. */
const TYPE_OF: Readonly<Record<string, string>> = { embedded: "rfc2136" };
/** Pages that are not called as their column. */
const PAGE_OF: Readonly<Record<string, string>> = {
  "azure-private-dns": "azure-dns.md",
  "cloudflare-dns": "cloudflare.md",
};

/** Why a check is not there for a back end, by its title. */
const NOT_ASKED: readonly (readonly [RegExp, string])[] = [
  [
    /taken meanwhile|changed since it was read|never lost in silence|creators of one name/,
    "the call compares nothing: names are read before and after it",
  ],
  [
    /bars the switch|what a stranger has|even without preconditions|all or nothing/,
    "a call writes one record set",
  ],
  [/each kind of precondition/, "a call writes one record set, or compares nothing"],
  [/^0 bytes of text/, "empty texts are refused, which is said beforehand"],
  [
    /comes? back$|, each whole$|^an empty text|with its marker$|nor its marker$|^whoever comes after/,
    "there are no texts, and so no markers: another registry says whose records are",
  ],
  [/^too many calls/, "calls are not counted"],
  [
    /^as many .* as a call takes|^a right that is missing/,
    "there is no API over HTTP: full messages and refusals have tests of their own",
  ],
  [/members? (come|that exists)|a member each/, "there are no weighted records"],
];

const FOOT = `
Written by \`node script/run.mjs tools/providers-page.ts\`, which runs the conformance suite
([test/conformance](../../test/conformance)) and counts calls
([test/real/provider-calls.test.ts](../../test/real/provider-calls.test.ts)) on the fake of each vendor's API, and on the embedded name server for rfc2136. The same suite runs
against BIND, Knot and PowerDNS, as rfc2136 and as the API of PowerDNS, with the other tests of real servers.
`;

/** The page; throws where a case failed, a type has no run, or a reason is missing. */
export function providersPage(cases: readonly RunCase[], types: readonly string[]): string {
  const failed = cases.filter(({ status }) => status !== "passed");
  if (failed.length > 0)
    throw new Error(`not passed: ${failed.map(({ title }) => title).join("; ")}`);
  const columns = columnsOf(cases, types);
  const ofType = columns.map((type) => cases.filter((one) => columnOf(one) === type));
  const idle = columns.filter((_, index) => ofType[index]?.length === 0);
  if (idle.length > 0) throw new Error(`no conformance suite ran for ${idle.join(", ")}`);
  const titles = [...new Set(ofType.flat().map(({ title }) => title))];
  const reasons: string[] = [];
  const rows = titles.map((title) => {
    const cells = ofType.map((list) => cellOf(title, list, reasons));
    return `| ${title.replaceAll("|", "\\|")} | ${cells.join(" | ")} |`;
  });
  const head = columns.map((one) => `[${one}](providers/${PAGE_OF[one] ?? `${one}.md`})`);
  const list = reasons.map((reason, index) => `${index + 1}. ${reason}`);
  return [
    "# Providers, and what each one is tried with",
    "",
    "✓ = the check passes; a number = not supported by the API, with the reason below.",
    "",
    `| check | ${head.join(" | ")} |`,
    `|---|${columns.map(() => "---|").join("")}`,
    ...rows,
    "",
    "Not supported by the API:",
    "",
    ...list,
    "",
    ...callsTable(cases, types),
    FOOT,
  ].join("\n");
}

const CALLS_HEAD = `## Calls

Requests that reach the vendor's API, markers included: those that write, and + those that read. What has no + compares what it writes. Where nothing is
compared, names are read before a call and after it, many at once by listing the zone; where a call takes one record set, a name takes three.

A throttled call adds exactly its own repetition while its reading is younger than 10 s (where a reading takes more than 2 s: five times as long, a minute
at the most); afterwards the zone is read once again before ([ADR 0035](../adr/0035-preconditions-as-they-are.md)).
`;

/** A row for each provider; the columns are in the order of the run. */
function callsTable(cases: readonly RunCase[], types: readonly string[]): readonly string[] {
  const counted = cases.filter(({ meta }) => meta?.calls !== undefined);
  if (counted.length === 0) return [];
  const columns = [...new Set(counted.flatMap(({ meta }) => Object.keys(meta?.calls ?? {})))];
  const rows = types.map((type) => {
    const own = counted.filter(({ title }) => title === type).map(({ meta }) => meta?.calls ?? {});
    const all: Readonly<Record<string, string>> = Object.assign({}, ...own);
    return `| ${type} | ${columns.map((column) => all[column] ?? "–").join(" | ")} |`;
  });
  return [
    CALLS_HEAD,
    `| provider | ${columns.join(" | ")} |`,
    `|---|${columns.map(() => "---|").join("")}`,
    ...rows,
  ];
}

/** Each type, followed by its modes. */
export function columnsOf(
  cases: readonly Pick<RunCase, "ancestorTitles">[],
  types: readonly string[],
): readonly string[] {
  const ran = [...new Set(cases.map(columnOf))];
  return types.flatMap((type) => [type, ...ran.filter((one) => one.startsWith(`${type} with `))]);
}

function columnOf({ ancestorTitles }: Pick<RunCase, "ancestorTitles">): string {
  const subject = ancestorTitles.map((title) => SUITE.exec(title)?.groups?.["subject"]);
  const found = subject.find((one) => one !== undefined) ?? "";
  return TYPE_OF[found] ?? found;
}

function cellOf(title: string, list: readonly RunCase[], reasons: string[]): string {
  const found = list.filter((one) => one.title === title);
  const ofCase = found.find(({ meta }) => meta?.unsupported !== undefined)?.meta?.unsupported;
  const why = found.length === 0 ? reasonFor(title) : ofCase;
  if (why === undefined) return "✓";
  if (!reasons.includes(why)) reasons.push(why);
  return String(reasons.indexOf(why) + 1);
}

function reasonFor(title: string): string {
  const found = NOT_ASKED.find(([pattern]) => pattern.test(title));
  if (found === undefined)
    throw new Error(`no reason in NOT_ASKED for a check that a provider has not: ${title}`);
  return found[1];
}
