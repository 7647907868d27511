/** The part of `zonekeeper check` that looks at the files of the API for `kubectl zonekeeper`. */
import { messageOf } from "@zonekeeper/base/operation-error";
import type { Log } from "@zonekeeper/base/ports/log";
import type { ApiConfig } from "../../../config/instance-options.ts";
import { TokenFile } from "../../api/token-file.ts";
import { readPair } from "../run/start-api.ts";
import type { Finding } from "./finding.ts";

/** What `run` would find now; empty = it serves none. */
export async function checkApi(api: ApiConfig | null, log: Log): Promise<readonly Finding[]> {
  if (api === null) return [];
  const token = new TokenFile(api.tokenFile, log).read();
  const certificate = await checkPair(api);
  const of = (state: Finding["state"], message: string): Finding => ({
    subject: "API",
    state,
    message,
  });
  return [
    token.ok ? of("ok", `its token is in ${api.tokenFile}`) : of("problem", token.error),
    ...(certificate === null ? [] : [of("problem", certificate)]),
  ];
}

/** Null = it is well, or is made at the start. */
async function checkPair({ tls }: ApiConfig): Promise<string | null> {
  if (tls === null) return null;
  try {
    await readPair(tls);
    return null;
  } catch (error) {
    return messageOf(error);
  }
}
