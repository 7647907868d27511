import { OperationError } from "@zonekeeper/base/operation-error";
import type { TcpStream } from "@zonekeeper/base/ports/net";
import { expect, test } from "vitest";
import { RealNet } from "./real-net.ts";

const net = new RealNet();
const FREE = { host: "127.0.0.1", port: 0 };
const text = (bytes: Uint8Array | null): string | null =>
  bytes === null ? null : new TextDecoder().decode(bytes);

async function pair(): Promise<{ client: TcpStream; server: TcpStream; close(): Promise<void> }> {
  let accepted: (stream: TcpStream) => void = () => {};
  const incoming = new Promise<TcpStream>((resolve) => {
    accepted = resolve;
  });
  const listener = await net.listenTcp(FREE, (stream) => accepted(stream));
  const client = await net.connectTcp(listener.local, { timeoutMs: 1000 });
  return { client, server: await incoming, close: () => listener.close() };
}

async function failure(work: Promise<unknown>): Promise<OperationError> {
  try {
    await work;
  } catch (error) {
    if (error instanceof OperationError) return error;
  }
  throw new Error("it should have failed with an OperationError");
}

test("bytes go both ways and the end is null", async () => {
  const { client, server, close } = await pair();
  await client.write(new TextEncoder().encode("hello"));
  expect(text(await server.read(1000))).toBe("hello");
  await server.write(new TextEncoder().encode("there"));
  server.close();
  expect(text(await client.read(1000))).toBe("there");
  expect(await client.read(1000)).toBeNull();
  client.close();
  await close();
});

test("a peer that has half closed still gets its answer", async () => {
  const { createConnection } = await import("node:net");
  let got = "";
  const listener = await net.listenTcp(FREE, (stream) => {
    void (async () => {
      const question = await stream.read(1000);
      expect(await stream.read(1000)).toBeNull();
      await stream.write(question ?? new Uint8Array());
      stream.close();
    })();
  });
  const socket = createConnection({ ...listener.local, allowHalfOpen: true });
  socket.end("ping");
  for await (const chunk of socket) got += String(chunk);
  expect(got).toBe("ping");
  await listener.close();
});

test("a slow reader holds the writer back", async () => {
  const { client, server, close } = await pair();
  const chunk = new Uint8Array(256 * 1024);
  let written = 0;
  const writing = (async () => {
    for (let round = 0; round < 200; round++) {
      await client.write(chunk);
      written++;
    }
    client.close();
  })();
  await new Promise((resolve) => setTimeout(resolve, 150));
  expect(written).toBeLessThan(200);
  let read = 0;
  for (let bytes = await server.read(2000); bytes !== null; bytes = await server.read(2000))
    read += bytes.length;
  await writing;
  expect(read).toBe(200 * chunk.length);
  await close();
});

test("a read that waits too long is a ReadTimeout and the stream stays usable", async () => {
  const { client, server, close } = await pair();
  expect((await failure(client.read(20))).code).toBe("ReadTimeout");
  await server.write(new Uint8Array([7]));
  expect(await client.read(1000)).toEqual(Buffer.from([7]));
  await close();
});

test("closing ends a pending read with null", async () => {
  const { client, close } = await pair();
  const pending = client.read();
  client.close();
  expect(await pending).toBeNull();
  expect((await failure(client.write(new Uint8Array([1])))).code).toBe("ConnectionLost");
  await close();
});

test("closing a listener closes its connections", async () => {
  const { client, close } = await pair();
  await close();
  const end = await client.read(1000).catch((error: OperationError) => error.code);
  expect([null, "ConnectionLost"]).toContain(end);
});

test("nobody listening is a ConnectFailed that names the address", async () => {
  const { close, client } = await pair();
  const at = client.remote;
  await close();
  const error = await failure(net.connectTcp(at, { timeoutMs: 1000 }));
  expect(error.code).toBe("ConnectFailed");
  expect(error.message).toContain(`127.0.0.1:${at.port}`);
});

test("a port that is taken is an AddressInUse, over TCP and UDP", async () => {
  const listener = await net.listenTcp(FREE, () => {});
  const error = await failure(net.listenTcp(listener.local, () => {}));
  expect([error.code, error.retry]).toEqual(["AddressInUse", "never"]);
  const socket = await net.bindUdp(FREE, () => {});
  expect((await failure(net.bindUdp(socket.local, () => {}))).code).toBe("AddressInUse");
  await listener.close();
  await socket.close();
});

test("datagrams arrive with their sender and can be answered", async () => {
  const answer = new Promise<string>((resolve) => {
    void (async () => {
      const server = await net.bindUdp(FREE, ({ from, bytes }) => void server.send(from, bytes));
      const client = await net.bindUdp(FREE, ({ bytes }) => {
        resolve(text(bytes) ?? "");
        void client.close();
        void server.close();
      });
      await client.send(server.local, new TextEncoder().encode("echo"));
    })();
  });
  expect(await answer).toBe("echo");
});

test("what may not be dialled is refused by its address, not by its name, and nothing is sent", async () => {
  let connections = 0;
  const listener = await net.listenTcp(FREE, () => (connections += 1));
  const { port } = listener.local;
  const seen: string[] = [];
  const mayDial = (address: string): boolean => {
    seen.push(address);
    return false;
  };
  const tls = { serverName: null, caCertificates: null, client: null, alpn: "dot" };
  for (const host of ["127.0.0.1", "localhost", "127.1"]) {
    for (const more of [{}, { tls }]) {
      const options = { timeoutMs: 1000, mayDial, ...more };
      const { code, message } = await failure(net.connectTcp({ host, port }, options));
      expect(code).toBe("ConnectFailed");
      expect(message).toContain("--provider-trusted-namespaces");
    }
  }
  expect(new Set(seen)).toEqual(
    new Set(seen.includes("::1") ? ["127.0.0.1", "::1"] : ["127.0.0.1"]),
  );
  const allowed = { timeoutMs: 1000, mayDial: () => true };
  (await net.connectTcp({ host: "localhost", port }, allowed)).close();
  await expect.poll(() => connections).toBe(1);
  await listener.close();
});

test("a connection that is there in time counts, also where the process looked at it too late", async () => {
  const listener = await net.listenTcp(FREE, (stream) => stream.close());
  const connecting = net.connectTcp(listener.local, { timeoutMs: 20 });
  const until = performance.now() + 100;
  while (performance.now() < until);
  (await connecting).close();
  await listener.close();
});
