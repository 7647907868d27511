/** Definitions that others have released, as script/fetch-definitions brings them. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { definitionsPath } from "./availability.ts";

/** Of a kind of Istio, which has all in one file. */
export function istioDefinition(plural: string): string {
  const path = join(definitionsPath(), "istio-1.31.4", "customresourcedefinitions.gen.yaml");
  const all = readFileSync(path, "utf8").split(/^---$/m);
  const ofKind = new RegExp(`^  group: networking.istio.io$[^]*^ {4}plural: ${plural}$`, "m");
  return all.find((text) => ofKind.test(text)) ?? "";
}
