/** The embedded API in a process of its own, so that its work is not counted as ours. Prints `ready {"kubeconfig":…}`. */
import { readFileSync } from "node:fs";
import { startControlPlane } from "../../test/support/control-plane-server.ts";

const { kubeconfig, server, close } = await startControlPlane();
const config: { readonly users: readonly [{ readonly user: { readonly token: string } }] } =
  JSON.parse(readFileSync(kubeconfig, "utf8"));
const { token } = config.users[0].user;
const ready = { kubeconfig, server: server.url, caFile: server.caFile, token };
process.stdout.write(`ready ${JSON.stringify(ready)}\n`);
process.once("SIGTERM", () => void close().then(() => process.exit(0)));
