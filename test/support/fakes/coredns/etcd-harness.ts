/** The conformance harness of coredns-etcd on a real etcd, read back key by key. */
import type { HttpClient } from "@zonekeeper/base/ports/http";
import { trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { RealHttpClient } from "../../../../src/app/ports/real-http-client.ts";
import type { RecordSet } from "../../../../src/model/record-set.ts";
import type { ProviderHarness } from "../../../conformance/provider-harness.ts";
import { type Etcd, startEtcd } from "../../real-servers/etcd.ts";
import { keysOf, openCoreDns, setsIn } from "./harness.ts";

/** With one zone, `example.org`. */
export async function etcdHarness(): Promise<ProviderHarness & { readonly etcd: Etcd }> {
  const etcd = await startEtcd();
  let losesNext = false;
  /** The transaction is made, and its answer never seen. */
  const losing = (client: HttpClient): HttpClient => ({
    request: async (request) => {
      const response = await client.request(request);
      if (!request.path.endsWith("/txn") || !losesNext) return response;
      losesNext = false;
      return { ...response, status: 502 };
    },
    close: () => client.close(),
  });
  return {
    etcd,
    zone: trustedDnsName("example.org"),
    open: (rails) =>
      openCoreDns(etcd.url, {
        environment: { ...rails, http: (target) => losing(new RealHttpClient(target)) },
      }),
    poll: async (name, type) => {
      const sets = setsIn(await etcd.keys());
      const found = sets.find((set) => set.name === name && set.type === type);
      return found === undefined ? null : { ttlSeconds: found.ttlSeconds, values: found.values };
    },
    addForeign: async (set: RecordSet) => {
      for (const [key, value] of keysOf(set)) await etcd.put(key, value);
    },
    loseNextAnswer: () => {
      losesNext = true;
    },
    settle: async () => undefined,
    stop: () => etcd.stop(),
  };
}
