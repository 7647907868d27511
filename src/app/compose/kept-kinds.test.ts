/** The DNSProvider that flags of external-dns describe: which domains are its. */
import { fieldsOf } from "@zonekeeper/kube/objects/object-fields";
import { expect, test } from "vitest";
import { VirtualClock } from "../../../test/support/ports/virtual-clock.ts";
import { rulesByFlags } from "../../../test/support/values/external-dns-flags.ts";
import { FLAGS_NAMESPACE } from "../../model/external-dns-rules.ts";
import { DNS_PROVIDER } from "../../model/kinds.ts";
import { keptReader } from "./kept-kinds.ts";

const NOTHING = { read: async () => null, readAll: async () => [] };

test.each<[string, readonly string[], object]>([
  [
    "a list",
    ["--domain-filter=example.org", "--exclude-domains=out.example.org"],
    { include: ["example.org"], exclude: ["out.example.org"] },
  ],
  [
    "one whose names stand for what is below them",
    ["--domain-filter=.example.org", "--exclude-domains=.half.example.org"],
    { include: ["example.org"], exclude: [] },
  ],
  [
    "expressions, which take the place of lists",
    ["--domain-filter=example.org", String.raw`--regex-domain-filter=example\.net$`],
    { include: [], exclude: [] },
  ],
])("domains by %s", async (_, flags, domains) => {
  const provider = { type: "rfc2136", secret: {}, config: {} };
  const externalDns = { rules: rulesByFlags(...flags), provider, zones: [] };
  const options = { externalDns, dnsClass: "gardendns", clock: new VirtualClock() };
  const reader = await keptReader(NOTHING, options);
  const [made] = await reader.readAll(DNS_PROVIDER, FLAGS_NAMESPACE);
  expect(fieldsOf(made?.["spec"])["domains"]).toEqual(domains);
});
