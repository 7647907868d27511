/** Which kube-apiserver judges: the one that script/build-kube-apiserver builds. */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";

const MODULE = resolve("test/real/api-clients/kube-apiserver/go.mod");

/** `1.37.2`. Throws when the module does not name it. */
export function judgeVersion(): string {
  const [, version] = /\bk8s\.io\/kubernetes v(\S+)/.exec(readFileSync(MODULE, "utf8")) ?? [];
  if (version === undefined) throw new Error(`${MODULE} does not name k8s.io/kubernetes`);
  return version;
}
