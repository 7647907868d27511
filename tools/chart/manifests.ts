/** deploy/manifests: the chart as the real helm renders it, for those who have no helm. */
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";

/** Where `script/fetch-helm` puts it. */
const HELM = "node_modules/.cache/zonekeeper/helm/helm";
const HEAD = `# Generated from deploy/chart by tools/generate-chart.ts. Do not edit. docs/guides/install.md says how to use it.
apiVersion: v1
kind: Namespace
metadata:
  name: zonekeeper
  labels:
    pod-security.kubernetes.io/enforce: restricted
`;

/** Text by path; null = helm is not there. Throws with helm's words when it refuses. */
export function manifests(): Readonly<Record<string, string>> | null {
  if (!existsSync(HELM)) return null;
  const values = ["-f", "deploy/chart/manifests-values.yaml", "--no-hooks"];
  const args = ["template", "zonekeeper", "deploy/chart", "-n", "zonekeeper", ...values];
  const text = execFileSync(HELM, args, { encoding: "utf8" })
    .replace(/^# Source: .*\n/gm, "")
    .replace(/^ *app\.kubernetes\.io\/managed-by: .*\n/gm, "")
    .replace(/\n+(?=---\n|$)/g, "\n");
  return { "deploy/manifests/zonekeeper.yaml": `${HEAD}${text}` };
}
