/** Which registry says whose a record is, typed and checked. Pure. */
import { fail, ok, type Result } from "@zonekeeper/base/result";
import { type DnsName, parseDnsName } from "@zonekeeper/dns/names/dns-name";
import type { Problem } from "../model/problem.ts";
import type { Option } from "./option.ts";
import { optionsOf } from "./options-table.ts";
import type { ResolvedOptions } from "./resolve-options.ts";

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
  const format = options.needText("registry");
  const problems = conflicts(options, format);
  const owns: DnsName[] = [];
  for (const domain of options.list("noop-owns")) {
    const name = parseDnsName(domain);
    if (name.ok) owns.push(name.value);
    else problems.push(invalid("noop-owns", domain, name.error));
  }
  const aliases = readAliases(options.list("cluster-alias"));
  problems.push(...aliases.problems);
  return problems.length > 0 ? fail(problems) : ok({ format, owns, clusterAliases: aliases.read });
}

/** Each is `old=new`; a former id has one new one. */
function readAliases(aliases: readonly string[]) {
  const read = new Map<string, string>();
  const problems: Problem[] = [];
  for (const alias of aliases) {
    const [former = "", present = "", ...more] = alias.split("=");
    if (former === "" || present === "" || more.length > 0)
      problems.push(invalid("cluster-alias", alias, "is not old=new; write two cluster ids"));
    else if (read.has(former))
      problems.push(invalid("cluster-alias", alias, `${former} has two new ids; leave one out`));
    else read.set(former, present);
  }
  return { read, problems };
}

/** Options of another registry that were given. */
function conflicts(options: ResolvedOptions, format: string): Problem[] {
  return optionsOf("run", options.plugIns).flatMap((option) => {
    const { name, registry } = option;
    if (registry === null || registry === format || isDefault(options, option)) return [];
    return [conflict(name, registry, format)];
  });
}

function conflict(name: string, registry: string, format: string): Problem {
  return {
    code: "ConflictingOptions",
    subject: `--${name}`,
    message: `means something only with --registry ${registry}, and the registry is ${format}; leave the one out or change the other`,
  };
}

/** The options of registries are flags, lists, texts and choices. */
function isDefault(options: ResolvedOptions, { name, type, default: value }: Option): boolean {
  if (type === "flag") return String(options.flag(name)) === value;
  if (type === "list") return options.list(name).join() === (value ?? "");
  return options.text(name) === value;
}

function invalid(option: string, text: string, why: string): Problem {
  return { code: "InvalidOption", subject: `--${option}`, message: `"${text}": ${why}` };
}
