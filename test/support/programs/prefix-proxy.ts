/**
 * The path of a Pod behind `kubectl proxy` and an API server, as a browser meets it (pods/proxy):
 * below a prefix, with the API server's host name and the path that was asked for.
 */
import { request as ask, createServer, type Server } from "node:http";

/** Of a Pod. */
export const PREFIX = "/api/v1/namespaces/dns/pods/https:zonekeeper-0:8443/proxy";

/** Listens on 127.0.0.1 at this port; `to` is where the Pod's port really is. */
export async function openPrefixProxy(port: number, to: string): Promise<Server> {
  const server = createServer((incoming, outgoing) => {
    const { url = "", method = "GET", headers } = incoming;
    if (!url.startsWith(`${PREFIX}/`)) return void outgoing.writeHead(404).end();
    const [path] = url.split("?", 1);
    const passed = ask(
      new URL(url.slice(PREFIX.length), to),
      { method, headers: { ...headers, host: "kubernetes:6443", "x-forwarded-uri": path } },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
      },
    );
    passed.on("error", () => outgoing.destroy());
    outgoing.on("close", () => passed.destroy());
    incoming.pipe(passed);
  });
  await new Promise<void>((done) => server.listen(port, "127.0.0.1", done));
  return server;
}
