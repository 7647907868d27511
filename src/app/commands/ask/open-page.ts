/** `open`: a link to the page of the running instance, opened by the platform where it can be. */

import { spawn } from "node:child_process";
import { jsonIn } from "@zonekeeper/base/json-text";
import { permanent } from "@zonekeeper/base/operation-error";
import type { ClientConfig } from "../../../config/client-options.ts";
import { type Answer, EXIT } from "../process/exit.ts";
import { ask, localServer } from "./ask-instance.ts";
import { isApiDocument } from "./texts/text-of.ts";

/** Prints the link. `isOpening`: a browser gets it, too, if there is one. */
export async function askOpen(config: ClientConfig, isOpening: boolean): Promise<Answer> {
  const asked = { ...config, output: "json" } as const;
  const { text } = await ask(asked, "/api/v1/page/link", { method: "POST" });
  const document = jsonIn(text);
  if (!isApiDocument(document) || document.schema !== "zonekeeper.dev/page-link/v1")
    throw permanent("InstanceRefused", "the instance is of another version: it has no page");
  const link = `${document.origins[0] ?? localServer(config)}${document.path}`;
  if (config.output === "json")
    return { text: `${JSON.stringify({ ...document, link })}\n`, exitCode: EXIT.ok };
  if (isOpening) openLink(link);
  return { text: `${link}\nIt is good once, for a minute.\n`, exitCode: EXIT.ok };
}

/**
 * Starts the browser without a shell. The link is in the list of processes: somebody who uses it
 * first makes it fail for its owner, who notices.
 */
function openLink(link: string): void {
  const [command, ...given] = openerOf(process.platform, process.env);
  if (command === undefined) return;
  const opener = spawn(command, [...given, link], { detached: true, stdio: "ignore" });
  // A browser that does not start is no error: the link is printed, too.
  opener.on("error", () => undefined);
  opener.unref();
}

/** Command and first arguments; empty = this host has no screen. */
export function openerOf(
  platform: NodeJS.Platform,
  { DISPLAY, WAYLAND_DISPLAY }: NodeJS.ProcessEnv,
): readonly string[] {
  if (platform === "darwin") return ["open"];
  if (platform === "win32") return ["rundll32", "url.dll,FileProtocolHandler"];
  return (DISPLAY ?? WAYLAND_DISPLAY) === undefined ? [] : ["xdg-open"];
}
