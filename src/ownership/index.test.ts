import { expect, test } from "vitest";
import { ORIGIN } from "../../test/support/values/zone-text.ts";
import { OWNERSHIP_FORMATS } from "./index.ts";

test("each format opens under its own name", () => {
  for (const [name, open] of Object.entries(OWNERSHIP_FORMATS))
    expect(open({ apex: ORIGIN, isOurs: () => false }).format).toBe(name);
});
