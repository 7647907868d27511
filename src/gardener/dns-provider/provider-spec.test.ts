import { expect, test } from "vitest";
import { readProviderSpec, zoneIdOf } from "./provider-spec.ts";

const read = (more: Readonly<Record<string, unknown>>) =>
  readProviderSpec({
    apiVersion: "dns.gardener.cloud/v1alpha1",
    kind: "DNSProvider",
    metadata: { name: "p", namespace: "default", uid: "1", resourceVersion: "1" },
    spec: { type: "rfc2136", secretRef: { name: "p" }, ...more },
  });

const A_LABELS = "xn--bcher-kva.example";

test.each(["domains", "zones"])("spec.%s takes names in their own letters", (field) => {
  const include = ["BÜCHER.example", "Example.org"];
  const ascii = field === "domains" ? "example.org" : "Example.org";
  expect(read({ [field]: { include, exclude: ["a.bücher.example"] } })).toMatchObject({
    ok: true,
    value: { [field]: { include: [A_LABELS, ascii], exclude: [`a.${A_LABELS}`] } },
  });
  const both = { include: ["bücher.example"], exclude: [A_LABELS] };
  expect(read({ [field]: both })).toEqual({
    ok: false,
    error: `spec.${field}: "${A_LABELS}" is both included and excluded`,
  });
});

test.each([
  ["include", "ü/x.example", "cannot be converted; write its A-label form"],
  ["exclude", "a..b", "empty label"],
  ["include", "*.bücher.example", "wildcards are not possible here"],
])("spec.domains.%s: %s is refused with its field", (list, text, reason) => {
  const spec = read({ domains: { [list]: [text] } });
  expect(spec.ok ? "" : spec.error).toContain(`spec.domains.${list}: "${text}" is not a domain: `);
  expect(spec.ok ? "" : spec.error).toContain(reason);
});

test("ids of zones that are no names stay as they are", () => {
  const ids = ["Z0123456789", "grüppe/example.org", "grüppe.prod/example.org", "2:0"];
  const spec = read({ zones: { include: ids } });
  expect(spec).toMatchObject({ ok: true, value: { zones: { include: ids, exclude: [] } } });
});

test("--blocked-zone takes a name in its own letters", () => {
  expect(zoneIdOf("Bücher.Example")).toBe(A_LABELS);
});
