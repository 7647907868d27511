/**
 * Puts the CRDs of deploy/crds into a server, as `kubectl apply -f deploy/crds` would, and waits
 * until they are served.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parse } from "yaml";
import { eventually } from "../ports/eventually.ts";
import type { HttpsCaller } from "./https-caller.ts";

const FOLDER = resolve("deploy/crds");
const COLLECTION = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

interface Crd {
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly group: string;
    readonly names: { readonly plural: string };
    readonly versions: readonly { readonly name: string; readonly served: boolean }[];
  };
}

/** Throws with the server's words when it does not take one. */
export async function installCrds(admin: HttpsCaller): Promise<void> {
  for (const crd of crds()) await admin.json("POST", COLLECTION, crd);
  await crdsAreServed(admin);
}

/** Waits until the server, which has them, serves them: a moment after its start. */
export async function crdsAreServed(admin: HttpsCaller): Promise<void> {
  for (const crd of crds()) await served(admin, crd);
}

function crds(): readonly Crd[] {
  const files = readdirSync(FOLDER).filter((name) => name.endsWith(".yaml"));
  return files.sort().map((name) => parse(readFileSync(join(FOLDER, name), "utf8")) as Crd);
}

/** Established comes a moment before the paths answer, so the paths are asked too. */
async function served(admin: HttpsCaller, { metadata, spec }: Crd): Promise<void> {
  const versions = spec.versions.filter((version) => version.served);
  const paths = versions.map(({ name }) => `/apis/${spec.group}/${name}/${spec.names.plural}`);
  const poll = (): Promise<readonly number[]> =>
    Promise.all(paths.map((path) => admin.status(path)));
  const isServed = (statuses: readonly number[]): boolean => statuses.every((s) => s === 200);
  await eventually(`${metadata.name} is served`, poll, isServed);
}
