/**
 * coredns-etcd as CoreDNS answers it: the conformance suite with dig through CoreDNS as the reader,
 * and a DNSEntry of `dev` from its creation to its removal. Each answer with the keys behind it has
 * to be in the record that judges where no CoreDNS is (`ZONEKEEPER_RECORD=1` writes it anew).
 */
import { writeFileSync } from "node:fs";
import { afterAll, expect, test } from "vitest";
import { readRdata } from "../../src/providers/shared/dotted-rdata.ts";
import { providerConformance } from "../conformance/provider.ts";
import type { ProviderHarness } from "../conformance/provider-harness.ts";
import { ClusterUser } from "../support/clients/cluster-user.ts";
import { dig } from "../support/clients/dig.ts";
import {
  type CoreDnsAnswer,
  RECORD_FILE,
  recordedAnswers,
} from "../support/fakes/coredns/answers.ts";
import { etcdHarness } from "../support/fakes/coredns/etcd-harness.ts";
import { eventually } from "../support/ports/eventually.ts";
import { dnsEntry, UserSession } from "../support/programs/user-session.ts";
import { describeReal } from "../support/real-servers/availability.ts";
import { startCoreDns } from "../support/real-servers/coredns.ts";
import { startEtcd } from "../support/real-servers/etcd.ts";
import { object } from "../support/values/cluster-objects.ts";

/** Where aliases of the suite lead: CoreDNS answers an alias to a name of its zone with both. */
const TARGET = ["/skydns/org/example/target/of-the-judge", '{"host":"192.0.2.99"}'] as const;

/** By their JSON. */
const seen = new Map<string, CoreDnsAnswer>();

async function startHarness(): Promise<ProviderHarness> {
  const harness = await etcdHarness();
  const { etcd } = harness;
  const server = await startCoreDns(etcd.url, ["example.org"]);
  const answered: ProviderHarness["poll"] = async (name, type) => {
    const asked = { port: server.port, name, type: type === "CNAME" ? "A" : type, tcp: true };
    const { answer } = await dig(asked);
    const own = answer.filter((one) => one.name === `${name}.` && one.type === type);
    const [first] = own;
    if (first === undefined) return null;
    const shown = { ttlSeconds: first.ttlSeconds, values: own.map(shownValue).sort() };
    const path = ["/skydns", ...name.split(".").reverse()].join("/");
    const keys = (await etcd.keys()).filter(([key]) => `${key}/`.startsWith(`${path}/`));
    const recorded = { name, type, ...shown, keys };
    seen.set(JSON.stringify(recorded), recorded);
    return shown;
  };
  return {
    ...harness,
    poll: async (name, type) => {
      // Without addresses of its own the apex is answered with those of all names.
      if (name === harness.zone) return harness.poll(name, type);
      if (type !== "CNAME") return answered(name, type);
      await etcd.put(...TARGET);
      const found = await answered(name, type);
      await etcd.call("/v3/kv/deleterange", { key: btoa(TARGET[0]) });
      return found;
    },
    stop: async () => {
      await server.stop();
      await harness.stop();
    },
  };
}

/** CoreDNS puts an empty string behind a text whose last string is full (split255). */
function shownValue({ type, rdata }: { readonly type: string; readonly rdata: string }): string {
  const plain = readRdata(type, rdata);
  return type === "TXT" ? plain.replace(/ ""$/, "") : plain;
}

describeReal("CoreDNS", ["coredns", "etcd", "dig"], () => {
  providerConformance(
    "coredns-etcd",
    { atomicity: "zone", preconditions: true, apex: [], refusesEmptyText: true, lacksMail: true },
    startHarness,
  );

  afterAll(() => {
    const answers = [...seen.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
    if (process.env["ZONEKEEPER_RECORD"] === "1")
      writeFileSync(RECORD_FILE, answers.map((one) => `${JSON.stringify(one)}\n`).join(""));
    expect(recordedAnswers()).toEqual(expect.arrayContaining(answers));
  });
});

describeReal("dev and CoreDNS", ["coredns", "etcd", "dig", "kubectl-1.32"], () => {
  test("answers what a DNSEntry says, as it changes, and nothing when it is gone", async () => {
    const etcd = await startEtcd();
    const server = await startCoreDns(etcd.url, ["k8s.example"]);
    const session = await UserSession.start("1.32");
    const user = new ClusterUser(session.kubectl);
    const name = "www.k8s.example";
    const answers = async (type: string): Promise<string> => {
      const { status, answer } = await dig({ port: server.port, name, type });
      return [
        status,
        ...answer.map((one) => `${one.ttlSeconds} ${one.type} ${one.rdata}`).sort(),
      ].join();
    };
    const becomes = (type: string, text: string): Promise<string> =>
      eventually(
        `${name} ${type} is ${text}`,
        () => answers(type),
        (one) => one === text,
      );
    try {
      const spec = {
        type: "coredns-etcd",
        secretRef: { name: "etcd" },
        providerConfig: { zones: ["k8s.example"] },
      };
      await user.apply(object("Secret", "etcd", { stringData: { Server: etcd.url } }));
      await user.apply(object("DNSProvider", "etcd", { spec }));
      await user.becomes("dnspr", "etcd", "Ready");
      expect(await answers("A")).toBe("NXDOMAIN");
      const target = (...targets: readonly string[]): Promise<string> =>
        user.apply(dnsEntry("web", name, "ttl: 120", `targets: [${targets.join(", ")}]`));
      await target("192.0.2.1", '"2001:db8::1"');
      await becomes("A", "NOERROR,120 A 192.0.2.1");
      await becomes("AAAA", "NOERROR,120 AAAA 2001:db8::1");
      await user.becomes("dnse", "web", "Ready");
      await target("192.0.2.2", "192.0.2.3");
      await becomes("A", "NOERROR,120 A 192.0.2.2,120 A 192.0.2.3");
      await becomes("AAAA", "NOERROR");
      await target("lb.example.com");
      await becomes("A", "NOERROR,120 CNAME lb.example.com.");
      await user.apply(dnsEntry("web", name, "ttl: 120", 'text: ["v=spf1 -all; \\"q\\""]'));
      await becomes("TXT", String.raw`NOERROR,120 TXT "v=spf1 -all; \"q\""`);
      await user.delete("dnse", "web");
      expect(await answers("A")).toBe("NXDOMAIN");
      expect(await answers("TXT")).toBe("NXDOMAIN");
      const left = (await etcd.keys()).filter(([key]) => !key.includes("_zonekeeper-fence"));
      expect(left, "its markers are gone with it").toEqual([]);
    } finally {
      await session.close();
      await server.stop();
      await etcd.stop();
    }
  });
});
