/**
 * Where kube-apiserver and etcd lie: the folder that envtest-like tools name by KUBEBUILDER_ASSETS,
 * else what script/build-kube-apiserver made.
 */
import { join, resolve } from "node:path";

/** The folder; it need not exist. `current` is the newest build of script/build-kube-apiserver. */
export function assetsFolder(): string {
  const named = process.env["KUBEBUILDER_ASSETS"] ?? "";
  return named === "" ? resolve("node_modules/.cache/zonekeeper/kube-apiserver/current") : named;
}

/** Absolute path of one of the programs; it need not exist. */
export function assetPath(program: "kube-apiserver" | "etcd"): string {
  return join(assetsFolder(), program);
}
