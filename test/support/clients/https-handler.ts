/** Puts HTTPS on 127.0.0.1 around a handler, for clients such as kubectl. Test only. */
import type { Log } from "@zonekeeper/base/ports/log";
import {
  type HttpServer,
  type HttpServerOptions,
  startHttpServer,
} from "../../../src/app/ports/real-http-server.ts";
import { issueLocalCertificate } from "../ports/local-certificate.ts";

/** A listening server. */
export interface HttpsServer {
  readonly url: string;
  /** PEM file of the certificate that signs for the server. */
  readonly caFile: string;
  /** `METHOD path status` of every request, in order of their answers. */
  readonly requests: readonly string[];
  /** Cuts all connections and refuses new ones until `up`. */
  down(): Promise<void>;
  /** Listens again on the same port. */
  up(): Promise<void>;
  close(): Promise<void>;
}

/** Listens on a free port with a certificate of its own, as the program's own server does. */
export async function serveHttps(
  { handler, tooLarge }: Required<Pick<HttpServerOptions, "handler" | "tooLarge">>,
  log: Log,
): Promise<HttpsServer> {
  const pair = await issueLocalCertificate();
  const requests: string[] = [];
  const listen = (port: number): Promise<HttpServer> =>
    startHttpServer({
      handler: async (request) => {
        const reply = await handler(request);
        requests.push(`${request.method} ${request.path} ${reply.status}`);
        return reply;
      },
      tooLarge,
      at: { host: "127.0.0.1", port },
      tls: { cert: pair.certificate, key: pair.key },
      log,
    });
  let server = await listen(0);
  const { port } = server.local;
  return {
    url: `https://127.0.0.1:${port}`,
    caFile: pair.caFile,
    requests,
    down: () => server.close(0),
    up: async () => {
      server = await listen(port);
    },
    close: async () => {
      await server.close(0);
      pair.remove();
    },
  };
}
