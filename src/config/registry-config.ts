/** Which registry says whose a record is, typed and checked. Pure. */
import { type DnsName, parseDnsName } from "../model/dns-name.ts";
import type { Problem } from "../model/problem.ts";
import { fail, ok, type Result } from "../model/result.ts";
import type { Option } from "./option.ts";
import type { ResolvedOptions } from "./resolve-options.ts";
import { oneOf } from "./shared-config.ts";
import { TXT_OPTIONS } from "./txt-options.ts";

/** Formats that `--registry` takes. */
const REGISTRY_FORMATS = ["txt", "gardener", "mesh", "configmap", "noop"] as const;

/** A format with what it needs. */
export type RegistryConfig =
  | { readonly format: Exclude<(typeof REGISTRY_FORMATS)[number], "noop"> }
  /** `owns`: what is ours at and below these names, without any marker. */
  | { readonly format: "noop"; readonly owns: readonly DnsName[] };

/**
 * Fails for a domain that is no name, and for whatever the chosen registry would not look at: who
 * believes that markers are signed or encrypted must not find out later that they are not.
 */
export function readRegistry(options: ResolvedOptions): Result<RegistryConfig, readonly Problem[]> {
  const format = oneOf(options.needText("registry"), REGISTRY_FORMATS);
  const domains = options.list("noop-owns");
  const problems = conflicts(options, format);
  if (format !== "noop") return problems.length === 0 ? ok({ format }) : fail(problems);
  const owns: DnsName[] = [];
  for (const domain of domains) {
    const name = parseDnsName(domain);
    if (name.ok) owns.push(name.value);
    else problems.push(invalid(domain, name.error));
  }
  return problems.length > 0 ? fail(problems) : ok({ format, owns });
}

/** Options of another registry that were given. */
function conflicts(options: ResolvedOptions, format: string): Problem[] {
  const problems: Problem[] = [];
  if (format !== "noop" && options.list("noop-owns").length > 0)
    problems.push(conflict("noop-owns", "noop", format));
  if (format === "txt") return problems;
  for (const option of TXT_OPTIONS)
    if (!isDefault(options, option)) problems.push(conflict(option.name, "txt", format));
  return problems;
}

function conflict(name: string, means: string, format: string): Problem {
  return {
    code: "ConflictingOptions",
    subject: `--${name}`,
    message: `means something only with --registry ${means}, and the registry is ${format}; leave the one out or change the other`,
  };
}

/** The options of the TXT registry are flags, lists, texts and choices. */
function isDefault(options: ResolvedOptions, { name, type, default: value }: Option): boolean {
  if (type === "flag") return String(options.flag(name)) === value;
  if (type === "list") return options.list(name).join() === (value ?? "");
  return options.text(name) === value;
}

function invalid(domain: string, why: string): Problem {
  return { code: "InvalidOption", subject: "--noop-owns", message: `"${domain}": ${why}` };
}
