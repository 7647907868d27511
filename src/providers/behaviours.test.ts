/**
 * The simulator plays each provider: the kind of back end that stands for it compares, holds
 * together and overwrites as much as the session says. `test/conformance` shows that both do.
 */
import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { BEHAVIOUR_OF, capabilitiesOf } from "../../test/support/memory-provider/behaviour.ts";
import { exampleOf } from "../../test/support/values/provider-example.ts";
import { realEnvironment } from "../../test/support/values/rfc2136-session.ts";
import { PROVIDER_TYPES } from "./index.ts";
import type { Capabilities } from "./provider.ts";

const FOLDER = "docs/reference/providers";
const EXAMPLES = readdirSync(FOLDER).map((file) =>
  exampleOf(readFileSync(`${FOLDER}/${file}`, "utf8")),
);
/** Azure's page shows one of its two types, whose settings are the same. */
const SHOWN_AS: Readonly<Record<string, string>> = { "azure-private-dns": "azure-dns" };

/** What decides how a race can end. */
function raceRulesOf({ atomicity, preconditions, cnameConflicts, wholeSets }: Capabilities) {
  return { atomicity, preconditions, cnameConflicts, wholeSets: wholeSets === true };
}

test("each provider type has a back end in the simulator, and each of these a type", () => {
  expect(Object.keys(BEHAVIOUR_OF)).toEqual(PROVIDER_TYPES.map(({ type }) => type));
});

test.each(PROVIDER_TYPES)(
  "$type: its back end in the simulator has its rules",
  async (provider) => {
    const { type } = provider;
    const example = EXAMPLES.find((one) => one.type === (SHOWN_AS[type] ?? type));
    const { secret = {}, config = null } = example ?? {};
    const opened = await provider.open({ secret, config }, realEnvironment());
    if (!opened.ok) throw new Error(`no session of ${type}`);
    const behaviour = BEHAVIOUR_OF[type];
    if (behaviour === undefined) throw new Error(`no back end like ${type}`);
    expect(raceRulesOf(opened.value.capabilities)).toEqual(raceRulesOf(capabilitiesOf(behaviour)));
    opened.value.close();
  },
);
