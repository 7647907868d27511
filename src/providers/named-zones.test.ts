/** `zones` of providerConfig, for the providers whose back end does not say which it has. */
import { expect, test } from "vitest";
import { realEnvironment } from "../../test/support/values/rfc2136-session.ts";
import { PROVIDER_TYPES } from "./index.ts";

const TYPES = PROVIDER_TYPES.filter(({ type }) => /webhook|coredns/.test(type));
const SECRET = { Server: "https://server.example.org" };

test.each(TYPES)("$type: international names become A-labels", async ({ namedZones }) => {
  const config = { zones: ["Bücher.example.", "bücher.example", "例子.org", "xn--fsqu00a.org"] };
  expect(await namedZones?.({ secret: SECRET, config })).toEqual([
    "xn--bcher-kva.example",
    "xn--fsqu00a.org",
  ]);
});

test.each(TYPES)("$type: what is no zone is named", async (provider) => {
  const troubles: readonly (readonly [unknown, RegExp])[] = [
    [
      ["example.org", "exa mple.org"],
      /has "exa mple\.org", which is no zone: the label "exa mple"/,
    ],
    [["*.example.org"], /has "\*\.example\.org", which is no zone: a wildcard is/],
    [["a\u0000ü.org"], /which is no zone: the name has characters beyond ASCII that/],
    [[""], /has "", which is no zone: the name is empty/],
    ["example.org", /must be a list of names/],
    [[7], /must be a list of names/],
  ];
  for (const [zones, expected] of troubles) {
    const opened = await provider.open({ secret: SECRET, config: { zones } }, realEnvironment());
    expect(opened).toMatchObject({
      ok: false,
      error: [
        { field: "spec.providerConfig.zones", message: expect.stringMatching(expected) as string },
      ],
    });
  }
});
