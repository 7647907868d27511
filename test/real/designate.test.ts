/**
 * openstack-designate on real Keystone and Designate: the conformance suite, judged by transfers
 * from Designate's own name server; the other way in, and what a refused token costs.
 */
import type { HttpClient, HttpRequest, HttpResponse } from "@zonekeeper/base/ports/http";
import { trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { parseRdata } from "@zonekeeper/dns/rdata/index";
import { afterAll, beforeAll, expect, test } from "vitest";
import { RealHttpClient } from "../../src/app/ports/real-http-client.ts";
import type { RecordSet } from "../../src/model/record-set.ts";
import { creationOf } from "../../src/providers/designate/convert.ts";
import { collectBody } from "../../src/providers/shared/json-call.ts";
import { providerConformance } from "../conformance/provider.ts";
import {
  applyOnce,
  create,
  type ProviderHarness,
  recordSet,
  remove,
  soon,
  zoneOf,
} from "../conformance/provider-harness.ts";
import { transfer } from "../support/clients/dig.ts";
import { openDesignate } from "../support/fakes/designate/harness.ts";
import { eventually } from "../support/ports/eventually.ts";
import { describeReal } from "../support/real-servers/availability.ts";
import { type OpenStack, startOpenStack } from "../support/real-servers/openstack/openstack.ts";

const ZONE = "example.org";

function harnessOf(stack: OpenStack): ProviderHarness {
  let losesNext = false;
  let login: Promise<HttpResponse> | null = null;
  /** The suite opens a session for each step; a login takes Keystone and Designate a second. */
  const logInOnce = (client: HttpClient, request: HttpRequest): Promise<HttpResponse> => {
    login ??= client.request(request).then(async ({ status, headers, body }) => {
      const bytes = await collectBody(body);
      const again = {
        async *[Symbol.asyncIterator]() {
          yield bytes;
        },
      };
      return { status, headers, body: again };
    });
    return login;
  };
  /** The change is made, and its answer never seen. */
  const losing = (client: HttpClient): HttpClient => ({
    request: async (request) => {
      if (request.path.endsWith("/auth/tokens")) return await logInOnce(client, request);
      const response = await client.request(request);
      const writes = request.method !== "GET" && request.path.includes("/recordsets");
      if (!writes || !losesNext) return response;
      losesNext = false;
      return { ...response, status: 502 };
    },
    close: () => client.close(),
  });
  return {
    zone: trustedDnsName(ZONE),
    open: (rails) =>
      openDesignate(stack.userSecret, {
        ...rails,
        http: (target) => losing(new RealHttpClient(target)),
      }),
    poll: (name, type) => pollDns(stack, name, type),
    addForeign: async (set: RecordSet) => {
      await stack.call("POST", `/zones/${stack.zoneId}/recordsets`, creationOf(set));
    },
    loseNextAnswer: () => {
      losesNext = true;
    },
    settle: async () => undefined,
    stop: async () => undefined,
  };
}

/** As the whole zone is transferred to name servers. */
async function pollDns(
  { dnsPort }: OpenStack,
  name: string,
  type: string,
): Promise<Pick<RecordSet, "ttlSeconds" | "values"> | null> {
  const records = await transfer({ port: dnsPort, name: ZONE });
  const found = records.filter((one) => one.name === `${name}.` && one.type === type);
  const [first] = found;
  if (first === undefined) return null;
  const values = found.map(({ rdata }) => {
    const parsed = parseRdata(type, rdata);
    return parsed.ok ? parsed.value : rdata;
  });
  return { ttlSeconds: first.ttlSeconds, values: values.sort() };
}

describeReal("Designate and Keystone", ["openstack", "dig"], () => {
  let stack: OpenStack;
  beforeAll(async () => {
    stack = await startOpenStack(ZONE);
  });
  afterAll(() => stack?.stop());

  providerConformance(
    "openstack-designate",
    // It looks after each change of a zone in the same process that answers.
    { atomicity: "set", preconditions: "absent", many: 40 },
    async () => harnessOf(stack),
  );

  test("an application credential; a receipt is propagated once all servers have the change", async () => {
    const session = openDesignate(stack.credentialSecret);
    try {
      const set = recordSet(`www.${ZONE}`, "A", "192.0.2.1");
      for (const group of [create(set), remove(set)]) {
        const [outcome] = await applyOnce(session, [group]);
        if (outcome?.status !== "applied" || outcome.receipt === undefined)
          throw new Error(`no receipt: ${JSON.stringify(outcome)}`);
        const { receipt } = outcome;
        const zone = await zoneOf(session);
        await eventually(
          "all servers have it",
          async () => await session.propagationOf?.(zone, receipt, soon()),
          (propagation) => propagation?.is === "live",
        );
      }
      expect(await pollDns(stack, set.name, "A")).toBeNull();
    } finally {
      session.close();
    }
  });
});
