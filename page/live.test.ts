import { expect, test } from "vitest";
import { isAboutName } from "./live.ts";

const told = (names: readonly string[], more = 0, zone = "example.org") => ({
  zones: [{ zone, names, more }],
});

test.each([
  ["its own name", told(["www.example.org"]), true],
  ["another name", told(["api.example.org"]), false],
  ["names that are not listed", told(["api.example.org"], 3), true],
  ["the zone as a whole", told([]), true],
  ["another zone as a whole", told([], 0, "example.net"), false],
  ["a zone whose name ends alike", told([], 0, "ample.org"), false],
])("a change of %s", (_title, zones, isAbout) => {
  expect(isAboutName(zones, "www.example.org")).toBe(isAbout);
});

test("the apex is within its zone", () => {
  expect(isAboutName(told([]), "example.org")).toBe(true);
});
