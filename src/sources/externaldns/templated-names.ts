/**
 * Names that templates of external-dns make of an object, in place of the names that it has none
 * of, or beside them.
 */
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import type { KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import type { TemplateRules } from "../../model/source-rules.ts";
import { type TemplateTexts, templateNames, templateTexts } from "../shared/template-names.ts";
import {
  annotatedTargets,
  joinedNames,
  namedEach,
  namedText,
  type Reported,
  type WantedNames,
} from "./named-records.ts";

const PAIRS = "--fqdn-target-template";
const TARGETS = "--target-template";

/** Who asks, and what a name of a template has as its targets. */
export interface TemplateUse {
  readonly source: string;
  readonly rules: TemplateRules;
  readonly namesOf: (names: readonly DnsName[]) => WantedNames;
  /** Templates that count for this kind: with `pairs` names, too, with `targets` all three. */
  readonly takes: "names" | "pairs" | "targets";
}

/** The names of the object and those of templates, as external-dns combines them. */
export function withTemplates(object: KubeObject, own: WantedNames, use: TemplateUse): WantedNames {
  const { rules, source, takes, namesOf } = use;
  const textsOf = (template: TemplateRules["names"], flag: string): TemplateTexts =>
    templateTexts(object, { template, flag, source });
  // Without the annotation `target` the names of such an object are nowhere.
  const isNowhere = takes === "targets" && annotatedTargets(object) === null;
  const isFree = ({ named, problems }: WantedNames): boolean =>
    rules.isAdding || named.length + problems.length === 0;
  const isAsked = isFree(own) || isNowhere;
  if (!isAsked) return own;
  const pairs = takes === "names" ? NO_NAMES : pairsOf(textsOf(rules.pairs, PAIRS));
  if (!isFree(pairs)) return joinedNames([own, pairs]);
  const { names, problems, isUnsure } = templateNames(object, { rules, source });
  const template = takes === "targets" ? textsOf(rules.targets, TARGETS) : null;
  const made =
    template === null
      ? namesOf(names)
      : namedEach(names, () => ofTemplate(template.texts, TARGETS));
  // A template of targets says nothing without a name.
  const ofTargets = names.length === 0 ? [] : (template?.problems ?? []);
  const all = { ...made, problems: [...problems, ...made.problems, ...ofTargets], isUnsure };
  return joinedNames([own, pairs, all]);
}

const NO_NAMES: WantedNames = { named: [], problems: [] };

function ofTemplate(targets: readonly string[], field: string): Reported {
  return { targets, reporter: "the template", field, isFixed: true };
}

/** `name:target`; without a target the field is not filled yet, and the name keeps what stands. */
function pairsOf({ texts, problems }: TemplateTexts): WantedNames {
  const byName = new Map<string, string[]>();
  for (const text of texts) {
    const [name = "", ...rest] = text.split(":");
    const target = rest.join(":").trim();
    const targets = byName.get(name.trim()) ?? [];
    if (target !== "") targets.push(target);
    byName.set(name.trim(), targets);
  }
  const written = [...byName].map(([name, targets]) =>
    namedText(name, PAIRS, ofTemplate(targets, PAIRS)),
  );
  return joinedNames([{ named: [], problems }, ...written]);
}
