/**
 * The program inside of another one: Websites become lines of a file. The clusters are mapped as
 * the options say (`kubeconfig`, `target`, `providers`).
 *   node manager.js ~/.kube/config
 */
import { createManager, type Manager } from "zonekeeper/manager";
import { plugin as flatFile } from "./flat-file-provider.js";
import { plugin as websites } from "./website-source.js";

/** Rejects where it cannot start; the caller stops it. */
export async function startManager(kubeconfig: string, owner: string): Promise<Manager> {
  const created = createManager({
    options: { owner, kubeconfig, "lease-name": owner, "provider-trusted-namespaces": ["*"] },
    plugins: [websites, flatFile],
  });
  if (!created.ok) throw new Error(created.error.map(({ message }) => message).join("; "));
  await created.value.start();
  return created.value;
}

const [kubeconfig] = process.argv.slice(2);
if (kubeconfig !== undefined) {
  const manager = await startManager(kubeconfig, "acme");
  process.once("SIGTERM", () => void manager.stop());
  await manager.ready();
  process.stdout.write("ready\n");
}
