/** `--set FILE`: Deployments of a fleet's external-dns, or the arguments of one, as files. */
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { messageOf } from "@zonekeeper/base/operation-error";
import type { KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import { fieldsOf, textOf, textsOf } from "@zonekeeper/kube/objects/object-fields";
import { parseAllDocuments, YAMLParseError } from "yaml";
import type { Problem } from "../../model/problem.ts";
import { ProblemsError } from "../commands/process/exit.ts";
import { externalDnsIn } from "../commands/shadow/pod-command.ts";

/** One external-dns, as a cluster would start it. */
export interface SetFile {
  /** `NAMESPACE/NAME[/CONTAINER]` of the Deployment; that of the file for arguments alone. */
  readonly name: string;
  readonly deployment: KubeObject;
  /** Null = the one that names a provider. */
  readonly container: string | null;
}

/**
 * Throws ProblemsError with what is wrong with all of them. Without a container that is meant, each
 * one that names a provider is a set.
 */
export function readSets(files: readonly string[], container: string | null): readonly SetFile[] {
  const problems: Problem[] = [];
  const wrong = (file: string, message: string): void => {
    problems.push({ code: "InvalidOption", subject: `--set ${file}`, message });
  };
  const sets = files.flatMap((file) => {
    try {
      const found = setsIn(file, container);
      if (found.length === 0) wrong(file, EMPTY);
      return found;
    } catch (error) {
      const what = error instanceof YAMLParseError ? "cannot be read as YAML" : "cannot be read";
      wrong(file, `${what}: ${messageOf(error).split("\n", 1)[0]}`);
      return [];
    }
  });
  for (const [at, { name }] of sets.entries())
    if (sets.findIndex((one) => one.name === name) < at)
      wrong(name, "is there twice; leave one of them out, or give them other names");
  if (problems.length > 0) throw new ProblemsError(problems);
  return sets;
}

const EMPTY =
  "has neither a Deployment nor a list of arguments; write what kubectl get deployment NAME --output yaml prints, or the arguments one by one, as - --source=service";

/** Other objects of a release, such as its rights, are passed over. */
function setsIn(file: string, container: string | null): readonly SetFile[] {
  const objects = [...parseAllDocuments(readFileSync(file, "utf8"))].flatMap((document) => {
    const [error] = document.errors;
    if (error !== undefined) throw error;
    const content: unknown = document.toJS();
    const { items } = fieldsOf(content);
    return Array.isArray(items) ? items.map(fieldsOf) : [content];
  });
  return objects.flatMap((one): readonly SetFile[] => {
    const args = textsOf(one) ?? [];
    const { kind, metadata } = fieldsOf(one);
    if (kind === "Deployment") {
      const { namespace, name } = fieldsOf(metadata);
      const key = { namespace: textOf(namespace) ?? "default", name: textOf(name) ?? "" };
      const deployment = { ...fieldsOf(one), apiVersion: "apps/v1", kind, metadata: key };
      const full = `${key.namespace}/${key.name}`;
      const several = externalDnsIn(deployment);
      return several.length < 2 || container !== null
        ? [{ name: full, deployment, container }]
        : several.map((own) => ({ name: `${full}/${own}`, deployment, container: own }));
    }
    if (args.length === 0) return [];
    const name = basename(file).replace(/\.ya?ml$/, "");
    const spec = { template: { spec: { containers: [{ name: "external-dns", args }] } } };
    const deployment = { apiVersion: "apps/v1", kind: "Deployment", metadata: { name }, spec };
    return [{ name, deployment, container }];
  });
}
