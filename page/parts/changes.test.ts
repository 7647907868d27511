import { trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { expect, test } from "vitest";
import type { HistoryChange } from "../contract.ts";
import { joinChanges } from "./changes.tsx";

const change = (second: number, name = "www"): HistoryChange => ({
  at: `2026-11-30T06:00:0${second}.000Z`,
  zone: trustedDnsName("example.org"),
  ...{ name: trustedDnsName(`${name}.example.org`), type: "A", is: "created", object: "" },
  ...{ cause: "edit", why: "Wanted", providers: [], callMs: 1 },
});

test("what an event told and what an answer has is there once, the newest first", () => {
  const both = change(3);
  const joined = joinChanges([change(4), { ...both }], [change(5), both, change(3, "api")]);
  expect(joined).toEqual([change(5), change(4), both, change(3, "api")]);
});
