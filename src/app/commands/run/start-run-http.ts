/**
 * Health, metrics and the local API of `run`, from the first moment on: probes must not wait for
 * clusters.
 */
import { OperationError } from "@zonekeeper/base/operation-error";
import { startHttpApp } from "../../api/http-app.ts";
import type { Instance } from "../../compose/instance.ts";
import { addressText } from "../../ports/system-error.ts";
import { FOLDER_FILES } from "../process/data-folder.ts";
import { removeReady, writeReady } from "../process/ready-file.ts";
import type { RunContext } from "./run-context.ts";

/** Rejects with OperationError `AddressInUse` or `ListenFailed`. */
export async function startRunHttp(context: RunContext, instance: Instance): Promise<void> {
  const { config, teardown, token, folder, ports } = context;
  const { address: host, port } = config.http;
  const at = { host, port };
  const { page } = config;
  const http = await startHttpApp({ at, token, instance, page }).catch(withRemedy("--http-port"));
  teardown.add("http", () => http.close());
  const address = `http://${addressText(http.local)}`;
  ports.log.info("http listens", { address, localApi: token !== null });
  if (folder === null || token === null) return;
  const ready = folder.file(FOLDER_FILES.ready);
  writeReady(ready, { pid: process.pid, http: reachable(address), token });
  teardown.add("ready file", () => removeReady(ready));
}

/** Adds to an error about a port in use which option chooses another one. */
export function withRemedy(option: string): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof OperationError) || error.code !== "AddressInUse") throw error;
    const { code, retry } = error;
    const message = `${error.message}; stop it, or choose another port with ${option} (0 = a free one)`;
    throw new OperationError({ code, message, retry, cause: error });
  };
}

/** The address for clients on this host, where the server listens on all addresses. */
function reachable(address: string): string {
  return address.replace("//0.0.0.0:", "//127.0.0.1:").replace("//[::]:", "//[::1]:");
}
