import { expect, test } from "vitest";
import {
  matchesResource,
  objectKeyText,
  readObjectKey,
  resourceOf,
  shortResourceOf,
} from "./provenance.ts";

const web = { cluster: "c1", kind: "service", namespace: "default", name: "web" };

test("a resource is written, read back and matched, in both forms", () => {
  expect(resourceOf(web)).toBe("service/default/web");
  expect(readObjectKey("service/default/web", "c1")).toEqual(web);
  expect(objectKeyText(web)).toBe("c1|service/default/web");
  expect(matchesResource("service/default/web", web)).toBe(true);
  expect(matchesResource(shortResourceOf(web), web)).toBe(true);
  expect(matchesResource(shortResourceOf({ ...web, name: "other" }), web)).toBe(false);
  expect(matchesResource("service/default/other", web)).toBe(false);
  expect(matchesResource(null, web)).toBe(false);
});

test.each([null, "", "service/web", "a/b/c/d", "/b/c", "a/b/", shortResourceOf(web)])(
  "%o names no object",
  (resource) => {
    expect(readObjectKey(resource, "c1")).toBeNull();
  },
);

test("cluster-scoped objects have an empty namespace", () => {
  expect(readObjectKey("node//n1", null)).toEqual({
    cluster: "",
    kind: "node",
    namespace: "",
    name: "n1",
  });
});
