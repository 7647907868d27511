/** Hostile review of ADR 0082: an installation with a DNSOwner's id besides its own. Fails today. */
import { afterEach, expect, test } from "vitest";
import { IDLE_INSTANCE } from "../../../test/support/programs/idle-instance.ts";
import { trustedDnsName } from "../../model/dns-name.ts";
import { type HttpApp, startHttpApp } from "./http-app.ts";

const APEX = trustedDnsName("example.org");
let app: HttpApp | null = null;
afterEach(() => app?.close());

const row = (owner: string) => ({
  name: trustedDnsName(`of-${owner}.example.org`),
  type: "A",
  setIdentifier: null,
  values: ["192.0.2.1"],
  whose: "ours",
  owners: [owner],
  resource: "dnsentry/default/x",
  marker: "m",
  isPending: false,
  wantedBy: "dnsentry/default/x",
  isAdoptable: false,
  permit: null,
  orphan: "orphan: its cluster is not served here",
});

test.fails("the orphans of the id that is taken pass, and those of no other", async () => {
  const zone = { id: APEX, name: APEX, providerType: "rfc2136", endpoint: "e", view: "" };
  const rights = {
    key: { account: "a", zone: APEX },
    zone,
    owners: ["a-dnsowner", "me"],
    fences: [],
    adoption: "never",
    trouble: null,
    rows: [row("a-dnsowner"), row("me")],
  };
  app = await startHttpApp({
    at: { host: "127.0.0.1", port: 0 },
    token: "t0ken",
    instance: {
      ...IDLE_INSTANCE,
      takeOwner: async () => [{ zone: APEX, now: "v=1;domain=c2/n/l", next: "v=1;domain=c1/n/l" }],
      rights: async () => [rights] as never,
    },
  });
  const headers = { authorization: "Bearer t0ken", accept: "text/plain" };
  const response = await fetch(`http://127.0.0.1:${app.local.port}/api/v1/owner/take?from=c2/n/l`, {
    headers,
  });
  const text = await response.text();
  expect(text).toContain("of-me.example.org");
  expect(text).not.toContain("of-a-dnsowner.example.org");
});
