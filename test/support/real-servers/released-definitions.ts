/** Definitions that others have released, as script/fetch-definitions brings them. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { definitionsPath } from "./availability.ts";

/** Of Istio's ServiceEntry; Istio has all in one file. */
export function serviceEntryDefinition(): string {
  const path = join(definitionsPath(), "istio-1.31.4", "customresourcedefinitions.gen.yaml");
  const all = readFileSync(path, "utf8").split(/^---$/m);
  return all.find((text) => /^ {4}plural: serviceentries$/m.test(text)) ?? "";
}
