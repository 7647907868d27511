import { expect, test } from "vitest";
import { nameOf } from "../../../test/support/values/zone-text.ts";
import { NOTHING } from "../../sources/source.ts";
import { SourceEvents } from "./entry-events.ts";

const waits = { ...NOTHING, waiting: [{ name: nameOf("www"), reason: "NoTargets" }] };

test("an object without an address: published records are spoken of where there may be some", () => {
  const messages = (hasEntries: boolean): readonly string[] =>
    new SourceEvents()
      .aboutFound(waits, hasEntries)
      .map(({ type, message }) => `${type} ${message}`);
  expect(messages(false)).toEqual([
    "Normal www.example.org: no address yet: the load balancer has none",
  ]);
  expect(messages(true)).toEqual([
    "Normal www.example.org: no address now: the load balancer has none; published records stay as they are",
  ]);
});
