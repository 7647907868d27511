/** Options with a scope (`aws-route53.ttl`), made into the one value that the process has. Pure. */
import type { Problem } from "../model/problem.ts";
import { invalidOption } from "./option.ts";
import type { RawValue } from "./parse-option-value.ts";
import { itemsOf } from "./parse-option-value.ts";

/** Ours, by option name or alias. */
export type Values = Readonly<Record<string, RawValue>>;

/** What one option with a scope has for one of ours. */
export interface Scoped {
  /** With its scope, without dashes. */
  readonly flag: string;
  readonly raw: RawValue;
}

/** What becomes of it. */
export interface Settled {
  /** Null = the values stay as they are. */
  readonly values: Values | null;
  readonly remarks: readonly string[];
  readonly problems: readonly Problem[];
}

/** Two values would mean that objects or records are given up, or taken, in silence. */
const WHOLE: ReadonlySet<string> = new Set([
  "dns-class",
  "source-dns-class",
  "dns-target-class",
  "owner",
  "provider-types",
  "exclude-domains",
  "target-namespace",
  "target-realms",
  "target-owner-id",
  "target-set-ignore-owners",
]);

/** Our other names of an option. */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  owner: ["owner", "identifier", "txt-owner-id"],
  "lease-name": ["lease-name", "lease-resource-name"],
};

/** `to` = our option. A value with a scope comes before one without. */
export function settle(to: string, scoped: readonly Scoped[], values: Values): Settled {
  if (to === "cluster-alias") return withAliases(scoped, values);
  if (to === "blocked-zone") return withBlocked(scoped, values);
  const names = NAMES[to] ?? [to];
  const plain = names.flatMap((flag) => {
    const raw = values[flag];
    return raw === undefined ? [] : [{ flag, raw }];
  });
  if (to === "lease-name")
    return plain.length > 0 ? SAME : { ...SAME, values: { ...values, [to]: firstOf(scoped) } };
  const flags = scoped.map(({ flag }) => `--${flag}`).join(", ");
  const remarks = [`${flags} holds for the whole process: one process has one --${to}`];
  const compared = WHOLE.has(to) ? [...scoped, ...plain] : scoped;
  if (to !== "dry-run" && new Set(compared.map(({ raw }) => String(raw))).size > 1) {
    const [first, ...rest] = compared.map(({ flag }) => `--${flag}`);
    const message = `and ${rest.join(", ")} have different values, and one process has one; give it once, or start a process for each`;
    return { ...SAME, problems: [{ code: "ConflictingOptions", subject: first ?? "", message }] };
  }
  // What is dry for one is dry for all.
  const isDry = [...scoped, ...plain].some(({ raw }) => String(raw) !== "false");
  const value = to === "dry-run" ? isDry : firstOf(scoped);
  const rest = Object.entries(values).filter(([name]) => !names.includes(name));
  return { ...SAME, values: { ...Object.fromEntries(rest), [to]: value }, remarks };
}

const firstOf = ([first]: readonly Scoped[]): RawValue => first?.raw ?? "";

const SAME: Settled = { values: null, remarks: [], problems: [] };

/** Former ids count as the present one, which must be known for that. */
function withAliases(scoped: readonly Scoped[], values: Values): Settled {
  const idOf = (flag: string): string => flag.replace(/migration-ids$/, "id");
  const problems = scoped
    .filter(({ flag }) => values[idOf(flag)] === undefined)
    .map(({ flag }) =>
      invalidOption(flag, `needs --${idOf(flag)}, the id that the former ones become`),
    );
  const added = scoped.flatMap(({ flag, raw }) =>
    itemsOf(raw).map((old) => `${old}=${String(values[idOf(flag)])}`),
  );
  const all = [...itemsOf(values["cluster-alias"] ?? []), ...added];
  return { ...SAME, problems, values: { ...values, "cluster-alias": all } };
}

/** A zone that is blocked for one type is no zone of another. */
function withBlocked(scoped: readonly Scoped[], values: Values): Settled {
  const added = scoped.flatMap(({ raw }) => itemsOf(raw));
  const zones = [...itemsOf(values["blocked-zone"] ?? []), ...added];
  return { ...SAME, values: { ...values, "blocked-zone": zones } };
}
