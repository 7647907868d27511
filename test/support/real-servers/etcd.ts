/** A real etcd on 127.0.0.1, in a folder of its own, without fsync; perhaps with users. */
import { join } from "node:path";
import { claimPort } from "../ports/free-port.ts";
import { makeTempFolder } from "../ports/temp-folder.ts";
import { Child, waitUntilReady } from "../programs/child.ts";

/** Running. */
export interface Etcd {
  /** `http://127.0.0.1:port`. */
  readonly url: string;
  /** Keys with their values, sorted. */
  keys(): Promise<readonly (readonly [string, string])[]>;
  /** One call of the gateway, as nobody or with a token. Throws for statuses from 400. */
  call(path: string, body: object, token?: string): Promise<Readonly<Record<string, unknown>>>;
  put(key: string, value: string): Promise<void>;
  stop(): Promise<void>;
}

/** Starts it and waits until it answers. */
export async function startEtcd(): Promise<Etcd> {
  const folder = makeTempFolder("etcd");
  const ports = [await claimPort(), await claimPort()];
  const [client = "", peer = ""] = ports.map(({ port }) => `http://127.0.0.1:${port}`);
  const child = await Child.start({
    command: "etcd",
    args: [
      `--data-dir=${join(folder.path, "data")}`,
      "--unsafe-no-fsync",
      `--listen-client-urls=${client}`,
      `--advertise-client-urls=${client}`,
      `--listen-peer-urls=${peer}`,
      `--initial-advertise-peer-urls=${peer}`,
      `--initial-cluster=default=${peer}`,
    ],
    logFile: join(folder.path, "etcd.log"),
  });
  const stop = async (): Promise<void> => {
    await child.kill9();
    for (const port of ports) port.release();
    folder.remove();
  };
  const call: Etcd["call"] = async (path, body, token = "") => {
    const answer = await fetch(`${client}${path}`, {
      method: "POST",
      headers: token === "" ? {} : { authorization: token },
      body: JSON.stringify(body),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text}`);
    return JSON.parse(text) as Readonly<Record<string, unknown>>;
  };
  const isReady = (): Promise<boolean> =>
    call("/v3/kv/range", { key: btoa("ready") }).then(
      () => true,
      () => false,
    );
  try {
    await waitUntilReady(child, isReady);
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    url: client,
    call,
    keys: async () => {
      const { kvs = [] } = await call("/v3/kv/range", { key: btoa("/"), range_end: btoa("0") });
      return (kvs as readonly { readonly key: string; readonly value: string }[]).map(
        ({ key, value }) => [atob(key), Buffer.from(value, "base64").toString()] as const,
      );
    },
    put: async (key, value) => {
      await call("/v3/kv/put", { key: btoa(key), value: Buffer.from(value).toString("base64") });
    },
    stop,
  };
}
