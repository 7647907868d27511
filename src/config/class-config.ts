/** The options about DNS classes: whose objects are served. Pure. */
import { CLASS_FORM, type DnsClasses, isClass } from "../model/dns-class.ts";
import type { Problem } from "../model/problem.ts";
import type { ResolvedOptions } from "./resolve-options.ts";

/** Classes of one process. */
export interface ClassConfig {
  /** Of DNSProviders, DNSEntries and DNSOwners. */
  readonly dnsClasses: DnsClasses;
  /** Of the objects that sources read. */
  readonly sourceClasses: DnsClasses;
  /** Of DNSEntries that are generated. */
  readonly targetClass: string;
}

/** The class options, which have no problems. */
export function readClasses(options: ResolvedOptions): ClassConfig {
  const dnsClasses = classesOf(options.needText("dns-class"));
  const sources = options.text("source-dns-class");
  const sourceClasses = sources === null ? dnsClasses : classesOf(sources);
  const targetClass = options.text("dns-target-class")?.trim() ?? sourceClasses[0];
  return { dnsClasses, sourceClasses, targetClass };
}

/** Sorted as the options are. */
export function classProblems(options: ResolvedOptions): readonly Problem[] {
  const lists = ["dns-class", "source-dns-class", "dns-target-class"].flatMap((name) => {
    const text = options.text(name);
    if (text === null) return [];
    const items = name === "dns-target-class" ? [text.trim()] : text.split(",").map(trimmed);
    return items.filter((item) => !isClass(item)).map((item) => notAClass(name, item));
  });
  return lists.length > 0 ? lists : targetProblems(readClasses(options));
}

function notAClass(name: string, item: string): Problem {
  const message = `${JSON.stringify(item)} is no class: ${CLASS_FORM}`;
  return { code: "InvalidOption", subject: `--${name}`, message };
}

/** Of `run`, which may copy entries. */
export function runClassProblems(options: ResolvedOptions): readonly Problem[] {
  const problems = classProblems(options);
  return problems.length > 0 ? problems : copyProblems(options);
}

/**
 * Entries would be copied from one class of a cluster into the same class of it. Two kubeconfigs of
 * one cluster are found when it is reached.
 */
function copyProblems(options: ResolvedOptions): readonly Problem[] {
  const { sourceClasses, targetClass } = readClasses(options);
  const chosen = options.list("controllers");
  const copying = options.plugIns.controllers.find((one) => one.copiesEntries);
  if (copying === undefined || !chosen.includes(copying.name)) return [];
  if (options.text("target") !== null || !sourceClasses.includes(targetClass)) return [];
  const message = `${copying.name} copies entries of class ${sourceClasses.join(", ")} into class ${targetClass} of the same cluster: give --target, or another --dns-target-class or --source-dns-class`;
  return [{ code: "ConflictingOptions", subject: "--controllers", message }];
}

/** Entries of such a class would be taken into the main class, and made anew. */
function targetProblems({ dnsClasses, targetClass }: ClassConfig): readonly Problem[] {
  const [main, ...others] = dnsClasses;
  if (targetClass === main || !others.includes(targetClass)) return [];
  const message = `${targetClass} is a further class of --dns-class, whose objects become ${main}; generate entries of ${main}, or of a class that this process does not serve`;
  return [{ code: "ConflictingOptions", subject: "--dns-target-class", message }];
}

function classesOf(text: string): DnsClasses {
  const [main = "", ...others] = [...new Set(text.split(",").map(trimmed))];
  return [main, ...others];
}

function trimmed(text: string): string {
  return text.trim();
}
