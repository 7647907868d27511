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
