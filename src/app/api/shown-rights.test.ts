import { trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { describe, expect, test } from "vitest";
import type { RightsChoice, RightsCommand } from "./rights-choice.ts";
import { SHOWN_MAX, SHOWN_MS, ShownAnswers, shownRights } from "./shown-rights.ts";

const nameOf = (label: string) => trustedDnsName(`${label}.example.org`);
const adopt = (...labels: readonly string[]): RightsCommand => ({
  verb: "adopt",
  from: null,
  to: null,
  names: new Set(labels.map(nameOf)),
});
const ADOPT = adopt("www");

function choice(row: Partial<RightsChoice["row"]> = {}): RightsChoice {
  const values = row.values ?? ["192.0.2.1"];
  return {
    zone: { account: "a", zone: "example.org" },
    row: {
      ...{ name: nameOf("www"), type: "A", setIdentifier: null, values },
      ...{ whose: "nobody", owners: [], resource: null, marker: null, isPending: false },
      ...{ wantedBy: "dnsentry/a/b", isAdoptable: false, permit: null },
      ...row,
    },
    order: { is: "adopt", values },
    reason: "",
    isRefused: false,
  };
}
const LEFT: RightsChoice = { ...choice(), order: null, reason: "held", isRefused: true };

/** A look at `first`, then what `second` is to the same question. */
function after(first: readonly RightsChoice[], second: readonly RightsChoice[]) {
  const shown = new ShownAnswers(() => 0);
  shown.show(...shownRights(ADOPT, first));
  return shown.use(...shownRights(ADOPT, second));
}

test.each<[string, readonly RightsChoice[], string]>([
  ["the same rows", [choice()], "same"],
  ["a skipped record is not acted on", [choice(), LEFT], "same"],
  ["other data", [choice({ values: ["198.51.100.9"] })], "changed"],
  ["another type", [choice({ type: "AAAA" })], "changed"],
  ["another set identifier", [choice({ setIdentifier: "eu" })], "changed"],
  ["another marker", [choice({ marker: '["m"]', owners: ["x"] })], "changed"],
  ["another object that wants it", [choice({ wantedBy: "dnsentry/a/c" })], "changed"],
  ["one more", [choice(), choice({ name: nameOf("more") })], "changed"],
  ["one that cannot be done any more", [LEFT], "changed"],
  ["nothing any more", [], "changed"],
])("%s since the look: %s", (_, second, state) => {
  expect(after([choice()], second)).toBe(state);
});

describe("a look", () => {
  test("is needed, and one look is one deed", () => {
    const shown = new ShownAnswers(() => 0);
    expect(shown.use(...shownRights(ADOPT, [choice()]))).toBe("unseen");
    expect(shown.use(...shownRights(ADOPT, [LEFT]))).toBe("same");
    shown.show(...shownRights(ADOPT, [choice()]));
    expect([
      shown.use(...shownRights(ADOPT, [choice()])),
      shown.use(...shownRights(ADOPT, [choice()])),
    ]).toEqual(["same", "unseen"]);
  });

  test("is for its question alone: verb, owners and names in any order", () => {
    const shown = new ShownAnswers(() => 0);
    shown.show(...shownRights(adopt("b", "a"), [choice()]));
    expect(shown.use(...shownRights(adopt("a"), [choice()]))).toBe("unseen");
    expect(shown.use(...shownRights({ ...adopt("a", "b"), verb: "release" }, [choice()]))).toBe(
      "unseen",
    );
    expect(shown.use(...shownRights(adopt("a", "b"), [choice()]))).toBe("same");
  });

  test("counts for 15 minutes, and the oldest of too many is forgotten", () => {
    let nowMs = 0;
    const shown = new ShownAnswers(() => nowMs);
    shown.show(...shownRights(ADOPT, [choice()]));
    nowMs = SHOWN_MS;
    expect(shown.use(...shownRights(ADOPT, [choice()]))).toBe("unseen");
    for (let at = 0; at <= SHOWN_MAX; at++) shown.show(...shownRights(adopt(`n${at}`), [choice()]));
    expect(shown.use(...shownRights(adopt("n0"), [choice()]))).toBe("unseen");
    expect(shown.use(...shownRights(adopt("n1"), [choice()]))).toBe("same");
  });
});
