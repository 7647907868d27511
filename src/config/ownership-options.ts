/**
 * Whose a record is: adoption, the registry and ids of clusters. Rows of the table, and as they are
 * read. Pure.
 */
import { fail, ok, type Result } from "@zonekeeper/base/result";
import { type DnsName, parseZoneName } from "@zonekeeper/dns/names/dns-name";
import type { Problem } from "../model/problem.ts";
import type { Option } from "./option.ts";
import { OptionReader, type ReadText } from "./option-reader.ts";
import { choice, list, RUN, rows } from "./option-row.ts";
import type { ResolvedOptions } from "./resolved-options.ts";
import { TXT_OPTIONS } from "./txt-options.ts";

/** In the order of the help text. */
export const OWNERSHIP_OPTIONS = rows(RUN, {
  adopt: choice(
    ["never", "equal", "listed"],
    "Whether an unowned record at a wanted name is taken over: never, when its data is equal, or when the annotation zonekeeper.dev/adopt of the object lists exactly its data.",
    { default: "never" },
  ),
  registry: choice(
    [],
    "Where ownership is recorded; see registries.md. The options txt-… and marker-signing… go with txt alone.",
    { default: "txt", plugIns: "registries" },
  ),
  "noop-owns": list(
    "With --registry noop: domains in which every A, AAAA, CNAME and TXT record counts as ours and may be changed and removed, whoever made it. Default: none.",
    { registry: "noop" },
  ),
  "cluster-alias": list(
    "Former ids of clusters, each as old=new: markers that name the old one count as the new one's. Default: none.",
  ),
});

/** A registry with what it needs. */
export interface RegistryConfig {
  /** Its name in the list of registries. */
  readonly format: string;
  /** Names at and below which we own every record without a marker. */
  readonly owns: readonly DnsName[];
  /** Former ids of clusters in markers, with the present ones. */
  readonly clusterAliases: ReadonlyMap<string, string>;
}

/**
 * Fails for a domain that is no name, and for an option that the chosen registry ignores: a user
 * who asks for signed or encrypted markers must not get plain ones.
 */
export function readRegistry(options: ResolvedOptions): Result<RegistryConfig, readonly Problem[]> {
  const reader = new OptionReader(options);
  const format = options.needText("registry");
  for (const { name, registry } of [...OWNERSHIP_OPTIONS, ...TXT_OPTIONS].filter(isGiven(options)))
    if (registry !== null && registry !== format)
      reader.conflict(
        name,
        `means something only with --registry ${registry}, and the registry is ${format}; leave the one out or change the other`,
      );
  const owns = reader.each("noop-owns", (text) => {
    const name = parseZoneName(text);
    return name.ok ? name : fail(`"${text}": ${name.error}`);
  });
  const clusterAliases = new Map<string, string>();
  for (const { former, present, text } of reader.each("cluster-alias", readAlias)) {
    if (clusterAliases.has(former))
      reader.refuse("cluster-alias", `"${text}": ${former} has two new ids; leave one out`);
    clusterAliases.set(former, present);
  }
  return reader.result({ format, owns, clusterAliases });
}

/** `old=new`. */
const readAlias: ReadText<{
  readonly former: string;
  readonly present: string;
  readonly text: string;
}> = (text) => {
  const [former = "", present = "", ...more] = text.split("=");
  if (former === "" || present === "" || more.length > 0)
    return fail(`"${text}": is not old=new; write two cluster ids`);
  return ok({ former, present, text });
};

/** The options of registries are flags, lists, texts and choices. */
function isGiven(options: ResolvedOptions): (option: Option) => boolean {
  return ({ name, type, default: value }) => {
    if (type === "flag") return String(options.flag(name)) !== value;
    if (type === "list") return options.list(name).join() !== (value ?? "");
    return options.text(name) !== value;
  };
}
