/**
 * Texts that templates of external-dns make of an object (`source/template/engine.go` @v0.22). A
 * template that fails is a problem of that object, and nothing of it is given up.
 */
import type { KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import { evaluateTemplate } from "../../model/go-template/evaluate.ts";
import type { Node } from "../../model/go-template/parse.ts";
import { objectKeyOf } from "../../model/kinds.ts";
import type { Problem } from "../../model/problem.ts";
import { resourceOf } from "../../model/provenance.ts";
import type { TemplateRules } from "../../model/source-rules.ts";
import { firstNames } from "./annotations.ts";
import { type WrittenNames, writtenNames } from "./external-annotations.ts";

/** The first thousand texts of a template, and what is wrong with it. */
export interface TemplateTexts {
  /** Without the dot at their end, sorted. */
  readonly texts: readonly string[];
  readonly problems: readonly Problem[];
}

/** A template, the flag that has it, and the source that asks, for `isSource`. */
export interface AskedTemplate {
  /** Null = none is given, which makes nothing. */
  readonly template: readonly Node[] | null;
  readonly flag: string;
  readonly source: string;
}

export function templateTexts(
  object: KubeObject,
  { template, flag, source }: AskedTemplate,
): TemplateTexts {
  if (template === null) return { texts: [], problems: [] };
  const read = evaluateTemplate(template, object, { source });
  if (!read.ok) {
    const subject = resourceOf(objectKeyOf(object, ""));
    const message = `the template fails: ${read.error}; correct it, or the object. Its names stay as they are`;
    return { texts: [], problems: [{ code: "TemplateFailed", subject, message, field: flag }] };
  }
  const texts = read.value
    .split(",")
    .map((text) => text.trim().replace(/\.$/, ""))
    .filter((text) => text !== "");
  const { first, excess } = firstNames(object, [...new Set(texts)].sort(), flag);
  return { texts: first, problems: excess };
}

/** The names that a template made. */
export interface TemplateNames extends WrittenNames {
  /** There may be others, which a status does not say now. */
  readonly isUnsure: boolean;
}

/** Names of `--fqdn-template`. */
export function templateNames(
  object: KubeObject,
  { rules, source }: { readonly rules: TemplateRules; readonly source: string },
): TemplateNames {
  const flag = "--fqdn-template";
  const { texts, problems } = templateTexts(object, { template: rules.names, flag, source });
  const written = writtenNames(texts.map((text) => [text, flag]));
  // An emptied status takes no name away (Z-4).
  const isUnsure = texts.length === 0 && [rules.names, rules.pairs].some(readsStatus);
  return { names: written.names, problems: [...problems, ...written.problems], isUnsure };
}

function readsStatus(template: readonly Node[] | null): boolean {
  return template !== null && /"status"/i.test(JSON.stringify(template));
}
