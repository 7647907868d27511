/**
 * What stands behind the address of an API server changes under the watch cache: another etcd with
 * older versions (kubernetes/kubernetes#59848), a kind that is installed and removed, rights that
 * RBAC grants and takes.
 */
import { readFileSync } from "node:fs";
import type { KindRef } from "@zonekeeper/kube/objects/kubernetes";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { RealHttpClient } from "../../src/app/ports/real-http-client.ts";
import type { ApiServer, UserName } from "../support/api-servers/api-server.ts";
import { HttpsCaller } from "../support/api-servers/https-caller.ts";
import { startKubeApiServer } from "../support/api-servers/kube-apiserver.ts";
import { startControlPlane } from "../support/clients/control-plane-server.ts";
import { FaultFront } from "../support/faults/fault-front.ts";
import { FaultReader, type ReaderOptions } from "../support/faults/fault-reader.ts";
import { Truth } from "../support/faults/truth.ts";
import { eventually } from "../support/ports/eventually.ts";
import { describeReal } from "../support/real-servers/availability.ts";

const THING: KindRef = {
  group: "example.org",
  version: "v1",
  kind: "Thing",
  plural: "things",
  namespaced: true,
};
const CRDS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const THINGS = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "things.example.org" },
  spec: {
    group: "example.org",
    scope: "Namespaced",
    names: { plural: "things", singular: "thing", kind: "Thing", listKind: "ThingList" },
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: "object" } },
      },
    ],
  },
};

const isState = (reader: FaultReader, wanted: string): Promise<unknown> =>
  eventually(
    `the kind is ${wanted}`,
    async () => ({ state: reader.state, trouble: reader.trouble }),
    ({ state }) => state === wanted,
  );

/** Clients and readers that end with the test. */
class Session {
  readonly #ends: (() => Promise<void> | void)[] = [];

  /** A reader at an address, as one user of the server. */
  reader(at: Pick<ApiServer, "url" | "caFile">, token: () => string, options: ReaderOptions = {}) {
    const http = new RealHttpClient({
      origin: at.url,
      tls: { ca: readFileSync(at.caFile, "utf8") },
      authorization: async () => `Bearer ${token()}`,
    });
    const reader = new FaultReader(http, options);
    this.#ends.push(async () => {
      await reader.cache.stop();
      http.close();
    });
    return reader;
  }

  atEnd(end: () => Promise<void> | void): void {
    this.#ends.push(end);
  }

  async end(): Promise<void> {
    for (const end of this.#ends.splice(0).reverse()) await end();
  }
}

function suite(title: string, start: () => Promise<ApiServer>): void {
  describe(title, () => {
    const session = new Session();
    afterEach(() => session.end());

    test.each([
      ["after a reset", (front: FaultFront) => front.watches[0]?.reset()],
      ["after a proper end of the watch", (front: FaultFront) => front.watches[0]?.end()],
    ])("an etcd with older versions, %s: last known, never deleted", async (_name, interrupt) => {
      const [first, second] = await Promise.all([start(), start()]);
      const [before, after] = [new Truth(first), new Truth(second)];
      session.atEnd(async () => {
        for (const truth of [before, after]) truth.close();
        await Promise.all([first.close(), second.close()]);
      });
      const front = await FaultFront.open(first);
      session.atEnd(() => front.close());
      for (let i = 0; i < 40; i++) await before.put("kept");
      let token = first.tokenOf("admin");
      const reader = session.reader(front, () => token, { inactivityMs: 1_500 });
      await isState(reader, "live");
      const known = reader.content();
      token = second.tokenOf("admin");
      front.leadTo(second);
      interrupt(front);
      await eventually(
        "the older list is refused",
        async () => reader.trouble ?? "",
        (trouble) => trouble.includes("older than the known version"),
      );
      expect([reader.state, reader.content()]).toEqual(["stale", known]);
      expect(reader.diary.filter((line) => line.startsWith("deleted"))).toEqual([]);
      // The restored cluster is written to until its versions have passed what was seen.
      for (let i = 0; i < 120; i++) await after.put("other");
      await isState(reader, "live");
      const wanted = JSON.stringify(await after.content());
      const poll = async (): Promise<string> => JSON.stringify(reader.content());
      await eventually("what the other one has", poll, (seen) => seen === wanted);
    });

    test("a kind that is not there, is installed, and is removed", async () => {
      const server = await start();
      session.atEnd(() => server.close());
      const token = server.tokenOf("admin");
      const admin = HttpsCaller.open(server.url, { caFile: server.caFile, token });
      session.atEnd(() => admin.close());
      const options = { kind: THING, inactivityMs: 2_000 };
      const reader = session.reader(server, () => token, options);
      await isState(reader, "absent");
      expect(reader.lookup("one")).toBe("absent");
      await admin.json("POST", CRDS, THINGS);
      await isState(reader, "live");
      const one = { apiVersion: "example.org/v1", kind: "Thing", metadata: { name: "one" } };
      await admin.json("POST", "/apis/example.org/v1/namespaces/default/things", one);
      await eventually(
        "told",
        async () => reader.diary,
        (diary) => diary.includes("added one"),
      );
      await admin.json("DELETE", `${CRDS}/things.example.org`);
      await isState(reader, "absent");
      expect(["absent", "unknown"]).toContain(reader.lookup("one"));
      await admin.json("POST", CRDS, THINGS).catch(() => undefined);
      await isState(reader, "live");
      expect(reader.content()).toEqual([]);
    });
  });
}

suite("before the embedded control plane", startControlPlane);

describeReal("before a real server", ["kube-apiserver"], () => {
  suite("before kube-apiserver", startKubeApiServer);

  describe("RBAC", () => {
    const session = new Session();
    let server: ApiServer;
    let admin: HttpsCaller;
    beforeAll(async () => {
      server = await startKubeApiServer();
      admin = HttpsCaller.open(server.url, {
        caFile: server.caFile,
        token: server.tokenOf("admin"),
      });
    });
    afterEach(() => session.end());
    afterAll(async () => {
      admin?.close();
      await server?.close();
    });
    const RBAC = "/apis/rbac.authorization.k8s.io/v1";
    const meta = { apiVersion: "rbac.authorization.k8s.io/v1", metadata: { name: "reader" } };
    const rules = [
      { apiGroups: ["dns.gardener.cloud"], resources: ["dnsentries"], verbs: ["list", "watch"] },
    ];
    const subjects = [{ kind: "User", name: "controller", apiGroup: "rbac.authorization.k8s.io" }];
    const as = (user: UserName) => () => server.tokenOf(user);
    const grant = async (scope: "ClusterRole" | "Role"): Promise<string> => {
      const folder = scope === "Role" ? `${RBAC}/namespaces/default` : RBAC;
      const collection = `${folder}/${scope.toLowerCase()}`;
      await admin.json("POST", `${collection}s`, { ...meta, kind: scope, rules });
      const roleRef = { apiGroup: "rbac.authorization.k8s.io", kind: scope, name: "reader" };
      const binding = { ...meta, kind: `${scope}Binding`, subjects, roleRef };
      await admin.json("POST", `${collection}bindings`, binding);
      return `${collection}bindings/reader`;
    };

    test("taken and given back: forbidden is not empty, and nothing was deleted", async () => {
      const truth = new Truth(server);
      session.atEnd(() => truth.close());
      await truth.put("kept");
      const binding = await grant("ClusterRole");
      // Short: RBAC is asked at the start of a watch only.
      const reader = session.reader(server, as("controller"), { inactivityMs: 2_000 });
      await isState(reader, "live");
      await admin.json("DELETE", binding);
      await isState(reader, "forbidden");
      expect(reader.lookup("kept")).toBe("unknown");
      await truth.put("meanwhile");
      const roleRef = {
        apiGroup: "rbac.authorization.k8s.io",
        kind: "ClusterRole",
        name: "reader",
      };
      const again = { ...meta, kind: "ClusterRoleBinding", subjects, roleRef };
      await admin.json("POST", `${RBAC}/clusterrolebindings`, again);
      await isState(reader, "live");
      expect(reader.content()).toEqual(await truth.content());
      expect(reader.untruths(truth.removed)).toEqual([]);
      await admin.json("DELETE", binding);
    });

    test("one namespace allowed: readable there, forbidden elsewhere", async () => {
      await grant("Role");
      const here = session.reader(server, as("controller"), { namespace: "default" });
      const elsewhere = session.reader(server, as("controller"), { namespace: "kube-system" });
      const everywhere = session.reader(server, as("controller"));
      await isState(here, "live");
      await isState(elsewhere, "forbidden");
      await isState(everywhere, "forbidden");
    });
  });
});
