/**
 * A real CoreDNS on 127.0.0.1 with its plug-in etcd (`script/build-api-clients coredns`): what it
 * answers is what records in etcd mean.
 */
import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { dig } from "../clients/dig.ts";
import { claimPort } from "../ports/free-port.ts";
import { makeTempFolder } from "../ports/temp-folder.ts";
import { Child, waitUntilReady } from "../programs/child.ts";

/** Absolute path of the newest build; it need not exist. */
export function coreDnsPath(): string {
  return resolve("node_modules/.cache/zonekeeper/coredns/current/coredns");
}

/** Running; UDP and TCP. */
export interface CoreDns {
  readonly port: number;
  stop(): Promise<void>;
}

/** Starts it and waits until it answers. `etcd` = `http://127.0.0.1:port`. */
export async function startCoreDns(etcd: string, zones: readonly string[]): Promise<CoreDns> {
  const folder = makeTempFolder("coredns");
  const claimed = await claimPort();
  const { port } = claimed;
  const blocks = zones.map(
    (zone) => `${zone}:${port} {
  bind 127.0.0.1
  errors
  etcd ${zone} {
    path /skydns
    endpoint ${etcd}
  }
}
`,
  );
  writeFileSync(join(folder.path, "Corefile"), blocks.join(""));
  const child = await Child.start({
    command: coreDnsPath(),
    args: ["-conf", join(folder.path, "Corefile")],
    logFile: join(folder.path, "coredns.log"),
    cwd: folder.path,
  });
  const stop = async (): Promise<void> => {
    await child.kill9();
    claimed.release();
    folder.remove();
  };
  const isReady = (): Promise<boolean> =>
    dig({ port, name: zones[0] ?? "", type: "SOA" }).then(
      ({ status }) => status === "NOERROR",
      () => false,
    );
  try {
    await waitUntilReady(child, isReady);
  } catch (error) {
    await stop();
    throw error;
  }
  return { port, stop };
}
