import { trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { describe, expect, test } from "vitest";
import { reportedState } from "./entry-status.ts";

const stateOf = (code: string, isPublished: boolean): string | undefined =>
  reportedState({
    name: trustedDnsName("www.example.org"),
    state: "held",
    code,
    message: "why",
    sets: [],
    isPublished,
  })?.state;

describe("a hold and its state, by whether an older record stands (Gardener's states, Z-19)", () => {
  test.each([
    // Nobody refused it; it comes as soon as what it waits for has happened.
    ["Paused", "Pending", "Stale"],
    ["FuseTripped", "Pending", "Stale"],
    ["NoTargets", "Pending", "Stale"],
    ["NotSynced", "Pending", "Pending"],
    // Somebody else is in the way: never Ready is Error, once Ready is Stale.
    ["ForeignRecord", "Error", "Stale"],
    ["Superseded", "Error", "Stale"],
    ["Contested", "Error", "Stale"],
    ["KindGone", "Error", "Stale"],
    // Gardener's words for an owner id that is not known.
    ["OwnerInactive", "Stale", "Stale"],
    ["NotInTheTable", "Error", "Stale"],
  ])("%s is %s, or %s", (code, absent, isPublished) => {
    expect([stateOf(code, false), stateOf(code, true)]).toEqual([absent, isPublished]);
  });
});
