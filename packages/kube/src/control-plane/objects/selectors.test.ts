/**
 * Selectors as kube-apiserver reads them; the cases were asked of one (1.20.2), apimachinery
 * pkg/labels, pkg/fields.
 */
import { beforeAll, describe, expect, test } from "vitest";
import { CORE, TestApi } from "../../../../../test/support/clients/control-plane-api.ts";
import { listAt, textAt } from "../json/json.ts";

const OBJECTS: readonly Readonly<Record<string, string>>[] = [
  {},
  { a: "1" },
  { a: "2", b: "x" },
  { a: "10" },
  { "k8s.io/name": "y", b: "" },
  { in: "in", notin: "z" },
  { a: "", x: "1" },
];

let api: TestApi;
beforeAll(async () => {
  api = await TestApi.open();
  for (const [index, labels] of OBJECTS.entries()) {
    const metadata = { name: `l${index}`, labels };
    await api.made(
      api.post(`${CORE}/configmaps`, { apiVersion: "v1", kind: "ConfigMap", metadata }),
    );
  }
});

/** Numbers of the objects that are selected, or the status of the refusal. */
async function selected(parameter: string, text: string): Promise<string | number> {
  const { status, body } = await api.get(
    `${CORE}/configmaps?${parameter}=${encodeURIComponent(text)}`,
  );
  const names = listAt(body, "items").map((item) => textAt(item, "metadata", "name"));
  return status === 200 ? names.map((name) => name.slice(1)).join("") : status;
}

describe("label selectors", () => {
  test.each<[string, string | number]>([
    ["a", "1236"],
    ["!a", "045"],
    ["! a", "045"],
    ["a=1", "1"],
    [" a == 1 ", "1"],
    ["a!=1", "023456"],
    ["a=", "6"],
    ["a!=", "012345"],
    ["a in (1,2)", "12"],
    ["a in(1, 2)", "12"],
    ["a in (,1)", "16"],
    ["a in (1,)", "16"],
    ["a in ()", "6"],
    ["a notin (1),b", "24"],
    ["in in (in)", "5"],
    ["notin=z", "5"],
    ["k8s.io/name=y", "4"],
    ["a>1", "23"],
    ["a < 5", "12"],
    ["x>0,a", "6"],
  ])("%s selects %s", async (text, wanted) => {
    expect(await selected("labelSelector", text)).toBe(wanted);
  });

  test.each([
    ",a",
    "a,",
    "a,,b",
    "a b",
    "a(b)",
    "(a)",
    "a in 1",
    "a in (1",
    "a in (1))",
    "a in (b c)",
    "a=1=2",
    "!a=1",
    "a!1",
    "=1",
    "a>x",
    "a>-1",
    "a>1.5",
    "a=-x",
    "a=$",
    "$",
    "a/b/c",
    "/a",
    "A.b/c",
    `a=${"x".repeat(64)}`,
    "x".repeat(64),
  ])("%s is 400", async (text) => {
    expect(await selected("labelSelector", text)).toBe(400);
  });
});

describe("field selectors", () => {
  test.each<[string, string | number]>([
    ["metadata.name=l1", "1"],
    ["metadata.name==l1", "1"],
    ["metadata.name!=l1", "023456"],
    ["metadata.name=l1,", "1"],
    [",metadata.name=l1,,metadata.namespace=default", "1"],
    ["metadata.name=l1,metadata.name=l2", ""],
    ["metadata.name=l1\\,", ""],
    ["metadata.name=l1 ", ""],
    ["metadata.name=l1=", 400],
    ["metadata.name=l\\1", 400],
    ["metadata.name=l1\\", 400],
    ["metadata.name", 400],
    ["metadata.name =l1", 400],
    ["metadata.uid=x", 400],
    ["=x", 400],
  ])("%s selects %s", async (text, wanted) => {
    expect(await selected("fieldSelector", text)).toBe(wanted);
  });
});
