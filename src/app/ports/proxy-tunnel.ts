/**
 * Connections through an HTTP proxy by CONNECT (RFC 9110 §9.3.6). Does not speak to the target
 * itself.
 */
import { request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";
import type { Socket } from "node:net";
import { retryable } from "@zonekeeper/base/operation-error";
import type { SocketAddress } from "@zonekeeper/base/ports/net";
import { addressText, networkError, timeoutError } from "./system-error.ts";

/**
 * Opens a tunnel to `to`. Credentials in the proxy's URL are sent as Basic; they never get into a
 * message.
 */
export function openTunnel(proxy: URL, to: SocketAddress, timeoutMs: number): Promise<Socket> {
  const where = `proxy ${proxy.host}`;
  const pair = `${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`;
  const basic = { "proxy-authorization": `Basic ${Buffer.from(pair).toString("base64")}` };
  return new Promise((resolve, reject) => {
    const request = (proxy.protocol === "https:" ? httpsRequest : httpRequest)({
      host: proxy.hostname.replace(/^\[|\]$/g, ""),
      port: proxy.port === "" ? (proxy.protocol === "https:" ? 443 : 80) : Number(proxy.port),
      method: "CONNECT",
      path: addressText(to),
      agent: false,
      headers: { host: addressText(to), ...(proxy.username === "" ? {} : basic) },
    });
    const late = () => request.destroy(timeoutError("ConnectTimeout", where, timeoutMs));
    const timer = setTimeout(late, timeoutMs);
    request.once("error", (error) => {
      clearTimeout(timer);
      reject(networkError("connect", where, error));
    });
    request.once("connect", (response, socket) => {
      clearTimeout(timer);
      if (response.statusCode === 200) {
        resolve(socket);
        return;
      }
      socket.destroy();
      const message = `${where} refused a tunnel to ${addressText(to)} with status ${response.statusCode ?? 0}`;
      reject(retryable("ConnectFailed", message));
    });
    request.end();
  });
}
