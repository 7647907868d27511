import { expect, test } from "vitest";
import { addressOf, routeOf, withQuery } from "./router.ts";

test.each([
  ["", "", null, ""],
  ["#/", "", null, ""],
  ["#/names?zone=example.org&text=a%26b", "names", null, "zone=example.org&text=a%26b"],
  ["#/name/www.example.org", "name", "www.example.org", ""],
  ["#/name/*.example.org?x=1", "name", "*.example.org", "x=1"],
  // A name may have any byte; half an escape is shown as it is.
  ["#/name/%2F%3F", "name", "/?", ""],
  ["#/name/%zz", "name", "%zz", ""],
])("the address %s", (hash, screen, subject, query) => {
  const route = routeOf(hash);
  expect([route.screen, route.subject, route.query.toString()]).toEqual([screen, subject, query]);
});

test("an address leads back to what it was made of", () => {
  const hash = addressOf("name", "a/b?c#d%.example.org", { text: "x y", zone: null, state: "" });
  expect(hash).toBe("#/name/a%2Fb%3Fc%23d%25.example.org?text=x+y");
  expect(routeOf(hash).subject).toBe("a/b?c#d%.example.org");
});

test("a path without values has no question mark", () => {
  expect(withQuery("plan", { zone: null, name: "" })).toBe("plan");
  expect(withQuery("plan", { zone: "example.org", limit: 5 })).toBe(
    "plan?zone=example.org&limit=5",
  );
});
