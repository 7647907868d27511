/**
 * The real helm (script/fetch-helm), without a cluster: what deploy/chart renders with values, as
 * objects.
 */
import { resolve } from "node:path";
import { parseAllDocuments } from "yaml";
import { type RunResult, run } from "./run.ts";

/** Where `script/fetch-helm` puts it. */
export function helmPath(): string {
  return resolve("node_modules/.cache/zonekeeper/helm/helm");
}

/** The chart. */
export const CHART: string = resolve("deploy/chart");

/** An object as it is rendered. */
export interface Rendered {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly [field: string]: unknown;
}

/** `helm template` with further arguments (`--set …`, `-f …`); never rejects. */
export function helmTemplate(...args: readonly string[]): Promise<RunResult> {
  return run(helmPath(), ["template", "zonekeeper", CHART, "-n", "zonekeeper", ...args]);
}

/** The objects. Throws with helm's words when it refuses. */
export async function rendered(...args: readonly string[]): Promise<readonly Rendered[]> {
  const { code, stdout, stderr } = await helmTemplate(...args);
  if (code !== 0) throw new Error(`helm template ${args.join(" ")}:\n${stderr}`);
  return objectsIn(stdout);
}

/** The objects of a stream of YAML. */
export function objectsIn(text: string): readonly Rendered[] {
  const documents = parseAllDocuments(text).map((one) => one.toJS() as Rendered | null);
  return documents.filter((one) => one !== null);
}

/** The one of this kind and name. Throws when there is none. */
export function objectOf(
  objects: readonly Rendered[],
  kind: string,
  name = "zonekeeper",
): Rendered {
  const found = objects.find((one) => one.kind === kind && one.metadata.name === name);
  if (found === undefined) throw new Error(`no ${kind} ${name} is rendered`);
  return found;
}
