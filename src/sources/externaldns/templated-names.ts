/**
 * Names that templates of external-dns make of an object (`source/template/engine.go` @v0.22): in
 * place of the names that it has none of, or beside them. A template that fails is a problem of
 * that object, and nothing of it is given up.
 */
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import type { KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import { evaluateTemplate } from "../../model/go-template/evaluate.ts";
import type { Node } from "../../model/go-template/parse.ts";
import { objectKeyOf } from "../../model/object-key.ts";
import type { Problem } from "../../model/problem.ts";
import { resourceOf } from "../../model/provenance.ts";
import type { TemplateRules } from "../../model/source-rules.ts";
import { firstNames } from "../shared/annotations.ts";
import { writtenNames } from "../shared/external-annotations.ts";
import type { NamedTargets, Reported, WantedNames } from "./named-records.ts";

const NAMES = "--fqdn-template";
const PAIRS = "--fqdn-target-template";

/** Who asks, and what a name of a template has as its targets. */
export interface TemplateUse {
  readonly source: string;
  readonly rules: TemplateRules;
  readonly namesOf: (names: readonly DnsName[]) => WantedNames;
  /** Pairs of names and targets are made of this kind. */
  readonly takesPairs: boolean;
}

/** The names of the object and those of templates, as external-dns combines them. */
export function withTemplates(object: KubeObject, own: WantedNames, use: TemplateUse): WantedNames {
  const { rules, source, takesPairs, namesOf } = use;
  const isFree = ({ named, problems }: WantedNames): boolean =>
    rules.isAdding || named.length + problems.length === 0;
  const made = (template: readonly Node[] | null, flag: string): Made =>
    template === null ? { texts: [], problems: [] } : textsOf(object, { template, source, flag });
  const paired = takesPairs && isFree(own) ? joined(own, pairsOf(made(rules.pairs, PAIRS))) : own;
  if (!isFree(paired)) return paired;
  const { texts, problems } = made(rules.names, NAMES);
  const written = writtenNames(texts.map((text) => [text, NAMES]));
  const { named, problems: more } = namesOf(written.names);
  const isUnsure = texts.length === 0 && [rules.names, rules.pairs].some(readsStatus);
  const all = [...problems, ...written.problems, ...more];
  return joined(paired, { named, problems: all, isUnsure });
}

/** An emptied status takes no name away (Z-4). */
function readsStatus(template: readonly Node[] | null): boolean {
  return template !== null && /"status"/i.test(JSON.stringify(template));
}

interface Made {
  /** Without the dot at their end, sorted. */
  readonly texts: readonly string[];
  readonly problems: readonly Problem[];
}

function textsOf(
  object: KubeObject,
  {
    template,
    source,
    flag,
  }: { readonly template: readonly Node[]; readonly source: string; readonly flag: string },
): Made {
  const subject = resourceOf(objectKeyOf(object, ""));
  const trouble = (code: string, message: string): Problem => ({
    ...{ code, subject, message, field: flag },
  });
  const read = evaluateTemplate(template, object, { source });
  if (!read.ok) {
    const message = `the template fails: ${read.error}; correct it, or the object. Its names stay as they are`;
    return { texts: [], problems: [trouble("TemplateFailed", message)] };
  }
  const texts = read.value
    .split(",")
    .map((text) => text.trim().replace(/\.$/, ""))
    .filter((text) => text !== "");
  const { first, excess } = firstNames(object, [...new Set(texts)].sort(), flag);
  return { texts: first, problems: excess };
}

/** `name:target`; without a target the field is not filled yet, and the name keeps what stands. */
function pairsOf({ texts, problems }: Made): WantedNames {
  const byName = new Map<string, string[]>();
  for (const text of texts) {
    const [name = "", ...rest] = text.split(":");
    const target = rest.join(":").trim();
    const targets = byName.get(name.trim()) ?? [];
    if (target !== "") targets.push(target);
    byName.set(name.trim(), targets);
  }
  const written = [...byName].map(([name, targets]) => {
    const read = writtenNames([[name, PAIRS]]);
    const reported: Reported = { targets, reporter: "the template", field: PAIRS, isFixed: true };
    return { ...read, named: read.names.map((one): NamedTargets => [one, reported]) };
  });
  return {
    named: written.flatMap(({ named }) => named),
    problems: [...problems, ...written.flatMap((one) => one.problems)],
  };
}

function joined(a: WantedNames, b: WantedNames): WantedNames {
  return {
    named: [...a.named, ...b.named],
    problems: [...a.problems, ...b.problems],
    isUnsure: a.isUnsure === true || b.isUnsure === true,
  };
}
