/** Which registry says whose a record is, typed and checked. Pure. */
import { type DnsName, parseDnsName } from "../model/dns-name.ts";
import type { Problem } from "../model/problem.ts";
import { fail, ok, type Result } from "../model/result.ts";
import type { ResolvedOptions } from "./resolve-options.ts";
import { oneOf } from "./shared-config.ts";

/** Formats that `--registry` takes. */
const REGISTRY_FORMATS = ["txt", "gardener", "mesh", "configmap", "noop"] as const;

/** A format with what it needs. */
export type RegistryConfig =
  | { readonly format: Exclude<(typeof REGISTRY_FORMATS)[number], "noop"> }
  /** `owns`: what is ours at and below these names, without any marker. */
  | { readonly format: "noop"; readonly owns: readonly DnsName[] };

/** Fails for a domain that is no name, and for domains that no registry would look at. */
export function readRegistry(options: ResolvedOptions): Result<RegistryConfig, readonly Problem[]> {
  const format = oneOf(options.needText("registry"), REGISTRY_FORMATS);
  const domains = options.list("noop-owns");
  if (format !== "noop") return domains.length === 0 ? ok({ format }) : fail([conflict(format)]);
  const owns: DnsName[] = [];
  const problems: Problem[] = [];
  for (const domain of domains) {
    const name = parseDnsName(domain);
    if (name.ok) owns.push(name.value);
    else problems.push(invalid(domain, name.error));
  }
  return problems.length > 0 ? fail(problems) : ok({ format, owns });
}

function conflict(format: string): Problem {
  return {
    code: "ConflictingOptions",
    subject: "--noop-owns",
    message: `means something only with --registry noop, and the registry is ${format}; leave the one out or change the other`,
  };
}

function invalid(domain: string, why: string): Problem {
  return { code: "InvalidOption", subject: "--noop-owns", message: `"${domain}": ${why}` };
}
