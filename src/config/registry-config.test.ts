import { expect, test } from "vitest";
import { readRegistry } from "./registry-config.ts";
import { resolveOptions } from "./resolve-options.ts";

function read(flags: Readonly<Record<string, string>>) {
  const resolved = resolveOptions({
    command: "run",
    flags: { owner: "me", ...flags },
    environment: {},
    file: null,
  });
  if (!resolved.ok) throw new Error(JSON.stringify(resolved.error));
  return readRegistry(resolved.value);
}

test("txt is the default; each other format is named", () => {
  expect(read({})).toEqual({ ok: true, value: { format: "txt" } });
  for (const format of ["gardener", "mesh", "configmap"])
    expect(read({ registry: format })).toEqual({ ok: true, value: { format } });
});

test("noop takes the domains that are ours", () => {
  expect(read({ registry: "noop" })).toEqual({ ok: true, value: { format: "noop", owns: [] } });
  expect(read({ registry: "noop", "noop-owns": "Apps.example.org.,b.example.org" })).toEqual({
    ok: true,
    value: { format: "noop", owns: ["apps.example.org", "b.example.org"] },
  });
});

test.each<[Readonly<Record<string, string>>, RegExp]>([
  [{ registry: "noop", "noop-owns": "a..b" }, /InvalidOption.*a\.\.b/],
  [{ "noop-owns": "example.org" }, /ConflictingOptions.*registry is txt/],
])("%s is refused", (flags, message) => {
  const result = read(flags);
  expect(result.ok ? "" : JSON.stringify(result.error)).toMatch(message);
});
