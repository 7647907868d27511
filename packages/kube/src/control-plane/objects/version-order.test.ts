import { expect, test } from "vitest";
import { byPreference } from "./version-order.ts";

test("stable before beta before alpha, newer first, others last by the alphabet", () => {
  const versions = [
    "v11alpha2",
    "foo1",
    "v3beta1",
    "v1",
    "v12alpha1",
    "v11beta2",
    "foo10",
    "v2",
    "v10",
    "v10beta3",
  ];
  expect([...versions].sort(byPreference)).toEqual([
    "v10",
    "v2",
    "v1",
    "v11beta2",
    "v10beta3",
    "v3beta1",
    "v12alpha1",
    "v11alpha2",
    "foo1",
    "foo10",
  ]);
});
