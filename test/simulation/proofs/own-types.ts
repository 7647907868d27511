/**
 * Z-7 over the types of every back end: a stranger's record that may answer addresses keeps its
 * name, whatever its type is called. No test framework, so that mutants can be bundled.
 */
import { trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import type { DesiredRecordSet } from "../../../src/model/record-set.ts";
import type { TypeAnswers } from "../../../src/model/type-answers.ts";
import { answersAt } from "../../../src/plan/coexistence.ts";
import { planName } from "../../../src/plan/plan.ts";
import { capabilitiesOf } from "../../../src/providers/alidns/limits.ts";
import { CAPABILITIES as GOOGLE } from "../../../src/providers/google/limits.ts";
import { CAPABILITIES as INFOBLOX } from "../../../src/providers/infoblox/limits.ts";
import { CAPABILITIES as POWERDNS } from "../../../src/providers/powerdns/limits.ts";
import type { Capabilities } from "../../../src/providers/provider.ts";
import { CAPABILITIES as RFC2136 } from "../../../src/providers/rfc2136/limits.ts";
import { CAPABILITIES as WEBHOOK } from "../../../src/providers/webhook/limits.ts";
import { rulesWith } from "../../support/values/plan-rules.ts";

const NAME = trustedDnsName("geo.example.org");
const APEX = trustedDnsName("example.org");
const PLAIN = { name: NAME, setIdentifier: null, routingPolicy: null, properties: {} };

/** Types that people write, as each back end shows them, and whether they bar an address. */
const CASES: readonly (readonly [Capabilities, string, boolean])[] = [
  [POWERDNS, "LUA", true],
  [POWERDNS, "ALIAS", true],
  [POWERDNS, "OPENPGPKEY", false],
  [RFC2136, "TYPE65401", true],
  [RFC2136, "TYPE65402", true],
  // Technitium's ANAME.
  [RFC2136, "TYPE65280", true],
  // BIND's notes about signing.
  [RFC2136, "TYPE65534", false],
  [RFC2136, "DNSKEY", false],
  [RFC2136, "TYPE261", false],
  [INFOBLOX, "ALIAS", true],
  [GOOGLE, "ALIAS", true],
  [capabilitiesOf(600), "REDIRECT_URL", true],
  [WEBHOOK, "ANAME", true],
  [WEBHOOK, "URL", true],
];

/** Cases that end otherwise, sorted as above; empty = the rule holds. */
export function ownTypeTroubles(): readonly string[] {
  return CASES.flatMap(([capabilities, type, isBlocked]) => {
    const answers = answersAt(NAME, { ...capabilities, apex: APEX });
    if (isHeld(type, answers) === isBlocked) return [];
    return [`Z-7: ${type} ${isBlocked ? "mixes with an address of ours" : "bars an address"}`];
  });
}

function isHeld(type: string, answers: TypeAnswers): boolean {
  const provenance = { cluster: "c", kind: "dnsentry", namespace: "default", name: "geo" } as const;
  const desired: DesiredRecordSet = {
    ...PLAIN,
    type: "A",
    ttlSeconds: 300,
    values: ["192.0.2.1"],
    provenance,
    owner: null,
    createdAtMs: 0,
  };
  const data = { ...PLAIN, type, ttlSeconds: 300, values: ["x"] };
  const current = [{ ...PLAIN, type, data, marker: null, contested: false }];
  const plan = planName(NAME, [desired], current, rulesWith({ answers }));
  return plan.changes.length === 0 && plan.holds.some(({ code }) => code === "ForeignRecord");
}
