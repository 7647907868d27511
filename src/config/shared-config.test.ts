import { expect, test } from "vitest";
import { PLUG_INS } from "../app/plug-ins.ts";
import { resolveOptions } from "./resolve-options.ts";
import { classProblems } from "./shared-config.ts";

test.each([
  ["gardendns", 0],
  ["a,b", 1],
  ["a b", 1],
])("the class %o has %i problems", (dnsClass, count) => {
  const resolved = resolveOptions({
    command: "run",
    flags: { owner: "me", "dns-class": dnsClass },
    environment: {},
    file: null,
    plugIns: PLUG_INS,
  });
  if (!resolved.ok) throw new Error(JSON.stringify(resolved.error));
  const problems = classProblems(resolved.value);
  expect(problems).toHaveLength(count);
  for (const { subject } of problems) expect(subject).toBe("--dns-class");
});
