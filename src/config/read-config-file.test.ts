import { expect, test } from "vitest";
import { readConfigFile } from "./read-config-file.ts";

// Found by the fuzzer: the YAML parser throws for these when the document becomes values.
test.each([
  ["an alias of nothing", "owner: *gone\n"],
  ["aliases without end", `a: &a [x]\nb: [${"*a,".repeat(200)}]\nc: &c [*a, *c]\n`],
])("%s is a problem of the file, not a crash", (_title, text) => {
  const head = "apiVersion: zonekeeper.dev/v1alpha1\nkind: Configuration\n";
  const result = readConfigFile({ name: "config.yaml", text: head + text });
  expect(result).toMatchObject({ ok: false });
});

test.each([
  ["owner: a\n", "has no apiVersion and no kind; it must say apiVersion: zonekeeper.dev/v1alpha1"],
  ["apiVersion: v2\nkind: Configuration\n", "has apiVersion: v2 and kind: Configuration; it must"],
])("a file with another version than ours says what it has: %j", (text, message) => {
  const result = readConfigFile({ name: "config.yaml", text });
  expect(result).toMatchObject({ ok: false });
  expect(JSON.stringify(result)).toContain(message);
  expect(JSON.stringify(result)).not.toContain("undefined");
});
