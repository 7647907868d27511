/** Paths that need no token: the version and the health of the control plane. */
import type { HttpResponse } from "@zonekeeper/base/ports/http";
import { jsonResponse, textResponse } from "./body.ts";

/** The Kubernetes version whose API is served, and the server. */
const VERSION = {
  major: "1",
  minor: "32",
  gitVersion: "v1.32.0+zonekeeper",
  gitCommit: "",
  gitTreeState: "clean",
  buildDate: "1970-01-01T00:00:00Z",
  goVersion: "",
  compiler: "typescript",
  platform: "embedded",
};

/** The answer, or null when the path needs a token. */
export function openAnswer(segments: readonly string[]): HttpResponse | null {
  const [first, second] = segments;
  if (second !== undefined) return null;
  if (first === "version") return jsonResponse(200, VERSION);
  if (first === "healthz" || first === "livez" || first === "readyz")
    return textResponse(200, "ok");
  return null;
}
