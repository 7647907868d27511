import { expect, test } from "vitest";
import { withCommand } from "./dialect.ts";

test.each([
  ["--source=service --dialect=external-dns", {}, "run --source=service --dialect=external-dns"],
  ["--config zonekeeper.yaml", {}, "run --config zonekeeper.yaml"],
  ["", { ZONEKEEPER_DIALECT: "external-dns" }, "run"],
  ["", {}, ""],
  ["plan --output json", {}, "plan --output json"],
  ["-h", {}, "-h"],
  ["--help=all", {}, "--help=all"],
  ["--version", {}, "--version"],
])("%j with %j is %j: arguments without a command are those of run", (line, environment, whole) => {
  expect(withCommand(line.split(" ").filter(Boolean), environment).join(" ")).toBe(whole);
});
