/**
 * Teams at the API of one instance, each with a token of the cluster: two namespaces in one zone,
 * names and orders of one's own alone. What a team may is RBAC's to say on a real API server; the
 * embedded one lets everybody do everything, and still shows the namespaces that are named.
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import { describeOnBoth } from "../support/api-servers/on-both.ts";
import { eventually } from "../support/ports/eventually.ts";
import type { RunInstance } from "../support/programs/run-instance.ts";
import type { RunSession } from "../support/programs/run-session.ts";
import { startBind } from "../support/real-servers/bind.ts";
import { account, entry, together } from "../support/values/cluster-objects.ts";
import { RealZone } from "../support/values/real-zone.ts";

const inNamespace = (namespace: string, text: string): string =>
  text.replaceAll('"namespace":"default"', `"namespace":"${namespace}"`);

describeOnBoth("readers", ["bind", "dig"], (server) => {
  let zone: RealZone;
  let session: RunSession;
  let instance: RunInstance;

  const ask = async (path: string, namespaces: string, token = "controller", method = "GET") => {
    const named = token === "controller" ? session.server.tokenOf("controller") : token;
    const response = await fetch(`${instance.http}/api/v1/${path}`, {
      method,
      headers: { authorization: `Bearer ${named}`, "x-zonekeeper-namespaces": namespaces },
    });
    const text = await response.text();
    return { status: response.status, text, body: JSON.parse(text) };
  };
  const namesIn = async (namespaces: string): Promise<readonly string[]> =>
    (await ask("names", namespaces)).body.rows.map(({ name }: { name: string }) => name);

  beforeAll(async () => {
    zone = new RealZone(await startBind({ zone: "example.net" }));
    session = await server.open();
    const { kubectl } = session.user;
    for (const namespace of ["team-a", "team-b"]) await kubectl.ok(["create", "ns", namespace]);
    const provider = account("net", zone.server);
    await session.user.apply(inNamespace("team-a", provider));
    await session.user.apply(inNamespace("team-b", provider.replaceAll("team-a", "team-b")));
    instance = await session.run("me", "--api-users");
    const of = (namespace: string, label: string): string =>
      inNamespace(namespace, entry(label, zone.name(label), { targets: ["192.0.2.1"] }));
    await session.user.apply(
      together(of("team-a", "a"), of("team-b", "b"), of("team-b", "b-secret")),
    );
    for (const label of ["a", "b", "b-secret"]) await zone.becomes(label, "A", "192.0.2.1");
    if (server.name === "embedded") return;
    const who = ["--user", "controller", "-n", "team-a"];
    await kubectl.ok(
      ["create", "role", "reader", "--verb=get", "--resource=dnsentries.dns.gardener.cloud"].concat(
        who.slice(2),
      ),
    );
    await kubectl.ok(["create", "rolebinding", "reader", "--role=reader", ...who]);
  });
  afterAll(async () => {
    await session?.close();
    await zone?.server.stop();
  });

  test("a team sees its names in each answer, and no other one's", async () => {
    await eventually(
      "the right counts, and the names are known",
      () => ask("names", "team-a"),
      ({ status, body }) => status === 200 && body.total === 1,
    );
    expect(await namesIn("team-a")).toEqual([zone.name("a")]);
    for (const path of ["zones", "plan", "holds", "history", "ownership", "series", "imports"]) {
      const { status, text } = await ask(path, "team-a");
      expect([path, status, /b-secret|team-b/.test(text)]).toEqual([path, 200, false]);
    }
    expect((await ask("history", "team-a")).body.changes).toMatchObject([{ name: zone.name("a") }]);
    expect((await ask(`explain/${zone.name("a")}?chain=true`, "team-a")).text).toContain("team-a");
    expect(await ask(`explain/${zone.name("b")}`, "team-a")).toMatchObject({
      status: 403,
      body: { code: "OutOfView" },
    });
  });

  test("who has no token, or one that the cluster does not know, sees nothing", async () => {
    expect((await ask("names", "team-a", "guessed-0123456789")).status).toBe(401);
    expect((await ask("names", "team-a", "")).status).toBe(401);
  });

  test("RBAC decides what is read and ordered", async () => {
    const pause = `pause?name=${zone.name("a")}`;
    if (server.name === "embedded") {
      expect(await namesIn("team-a,team-b")).toHaveLength(3);
      expect((await ask(pause, "team-a", "controller", "POST")).status).toBe(200);
      expect(
        (await ask(pause.replace("pause", "resume"), "team-a", "controller", "POST")).status,
      ).toBe(200);
      return;
    }
    const refused = { status: 403, body: { code: "ReaderRefused" } };
    expect(await ask("names", "team-b")).toMatchObject(refused);
    expect(await ask("names", "")).toMatchObject(refused);
    expect(await ask(pause, "team-a", "controller", "POST")).toMatchObject(refused);
  });

  test("an order about a name of others is refused", async () => {
    const [team, method] = ["team-a", "POST"];
    const answer = await ask(`pause?name=${zone.name("b")}`, team, "controller", method);
    expect([answer.status, (await instance.cli("plan")).stdout]).toEqual([
      403,
      expect.not.stringContaining("paused"),
    ]);
  });
});
