import { OperationError } from "@zonekeeper/base/operation-error";
import { expect, test } from "vitest";
import { troubleText } from "./cluster-reach.ts";

const ORIGIN = { option: "--target", origin: 'context "x" in /etc/target.yaml' };

function failed(code: string, message: string): OperationError {
  return new OperationError({ code, message, retry: "backoff" });
}

test.each([
  ["Unavailable", "connect ECONNREFUSED 127.0.0.1:1", "correct server in that file"],
  ["Unavailable", "unable to verify the first certificate", "correct certificate-authority in"],
  [
    "Unauthorized",
    "Unauthorized (HTTP 401)",
    "may have expired: put a new one there, and start anew",
  ],
  ["Forbidden", "namespaces is forbidden", "or name the cluster with --target.id"],
])("a cluster that answers %s (%s): option, file and remedy", (code, message, remedy) => {
  const text = troubleText(ORIGIN, failed(code, message));
  expect(text).toContain(`--target (context "x" in /etc/target.yaml): ${message}; `);
  expect(text).toContain(remedy);
});
