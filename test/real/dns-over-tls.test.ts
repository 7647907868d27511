/**
 * DNS over TLS (RFC 7858) and transfers over TLS (RFC 9103): our provider against BIND's and our
 * own listener, kdig and dig against ours, and BIND as a secondary that copies from ours by TLS.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { transfer } from "../support/clients/dig.ts";
import { nsupdate } from "../support/clients/nsupdate.ts";
import { startEmbedded } from "../support/name-server/start-embedded.ts";
import { issueCertificates, type TestCertificates } from "../support/ports/certificates.ts";
import { eventually } from "../support/ports/eventually.ts";
import { claimPort, type FreePort } from "../support/ports/free-port.ts";
import { run } from "../support/programs/run.ts";
import { describeReal } from "../support/real-servers/availability.ts";
import { startBind } from "../support/real-servers/bind.ts";
import type { RealServer } from "../support/real-servers/real-server.ts";
import { SECONDARIES } from "../support/real-servers/secondaries.ts";
import {
  apply,
  claim,
  lines,
  NEVER,
  onlyZone,
  openSession,
  set,
} from "../support/values/rfc2136-session.ts";

const COUNT = 3000;
const RECORDS = Array.from(
  { length: COUNT },
  (_, i) => `host-${i} 300 IN A 10.1.${i >> 8}.${i & 255}`,
);
const own = RECORDS.map((line) => line.replace(" IN ", " "));

interface World {
  readonly certificates: TestCertificates;
  readonly tlsPort: FreePort;
  readonly server: RealServer;
}

async function open(
  start: typeof startBind,
  records: readonly string[],
  notifyPort?: number,
): Promise<World> {
  const certificates = await issueCertificates();
  const tlsPort = await claimPort();
  const server = await start({
    zone: "example.org",
    records,
    tls: { port: tlsPort.port, ...certificates.server },
    ...(notifyPort === undefined ? {} : { notifyPort }),
  });
  return { certificates, tlsPort, server };
}

async function close(world: World | undefined): Promise<void> {
  await world?.server.stop();
  world?.tlsPort.release();
}

function session(
  { certificates, tlsPort, server }: World,
  more: { readonly ca?: string; readonly name?: string } = {},
) {
  const target = { ...server, host: "127.0.0.1", port: tlsPort.port } as const;
  const { zone, key } = server;
  const tls = more.name === undefined ? true : { serverName: more.name };
  const secret = { TLSCACertificate: more.ca ?? certificates.caCertificate };
  return openSession({ ...target, zone, key }, secret, { config: { tls } });
}

describe.each([
  { name: "BIND", needs: ["bind"], start: startBind, records: RECORDS },
  { name: "embedded", needs: [], start: startEmbedded, records: own },
] as const)("$name", ({ name, needs, start, records }) => {
  describeReal(`rfc2136 over TLS with ${name}`, needs, () => {
    let world: World;
    beforeAll(async () => {
      world = await open(start, records);
    });
    afterAll(() => close(world));

    test("a transfer, updates and the delta that follows all go by TLS", async () => {
      const client = session(world);
      const zone = await onlyZone(client);
      const before = await client.records(zone, null, NEVER);
      expect(before.sets).toHaveLength(COUNT + 3);
      const next = set("new.example.org", 60, "A", "192.0.2.1");
      expect(await apply(client, zone, claim(next))).toMatchObject([{ status: "applied" }]);
      const delta = await client.changesSince?.(zone, before.token ?? "", NEVER);
      expect(delta?.names).toEqual(["new.example.org"]);
      expect(lines((await client.records(zone, [next.name], NEVER)).sets)).toEqual(lines([next]));
      client.close();
    });

    test("a certificate of another authority: nothing is sent, the reason is told", async () => {
      const outsider = await issueCertificates();
      const client = session(world, { ca: outsider.caCertificate });
      await expect(client.zones(NEVER)).rejects.toMatchObject({
        code: "Unreachable",
        message: expect.stringMatching(/certificate/),
      });
      client.close();
    });

    test("a certificate for another name: nothing is sent, the reason is told", async () => {
      const client = session(world, { name: "elsewhere.example.org" });
      await expect(client.zones(NEVER)).rejects.toMatchObject({
        code: "Unreachable",
        message: expect.stringMatching(/elsewhere\.example\.org/),
      });
      client.close();
    });

    test("a port without TLS is not spoken to in plain", async () => {
      const plain = { ...world, tlsPort: { port: world.server.port, release: () => undefined } };
      const client = session(plain);
      await expect(client.zones(NEVER)).rejects.toMatchObject({ code: "Unreachable" });
      client.close();
    });
  });
});

describeReal("the embedded name server over TLS", ["kdig", "dig", "bind"], () => {
  let world: World;
  let port: FreePort;
  beforeAll(async () => {
    port = await claimPort();
    world = await open(startEmbedded, own, port.port);
    writeFileSync(join(world.server.folder, "ca.crt"), world.certificates.caCertificate);
  });
  afterAll(async () => {
    await close(world);
    port?.release();
  });

  const ask = (program: "dig" | "kdig", ...question: readonly string[]) => {
    const ca = join(world.server.folder, "ca.crt");
    const trust =
      program === "dig" ? ["+tls", `+tls-ca=${ca}`] : [`+tls-ca=${ca}`, "+tls-hostname=127.0.0.1"];
    const { algorithm, name, secretBase64 } = world.server.key;
    return run(program, [
      "@127.0.0.1",
      "-p",
      String(world.tlsPort.port),
      ...trust,
      "-y",
      `${algorithm}:${name}:${secretBase64}`,
      ...question,
    ]);
  };

  test.each(["dig", "kdig"] as const)("%s asks and transfers", async (program) => {
    const answer = await ask(program, "+short", "host-7.example.org", "A");
    expect(answer.stdout, answer.stderr).toContain("10.1.0.7");
    const whole = await ask(program, "+noall", "+answer", "example.org", "AXFR");
    expect(whole.stdout.split("\n").filter((line) => /\sA\s/.test(line))).toHaveLength(COUNT + 1);
  });

  test("BIND copies the zone by TLS and follows NOTIFY", async () => {
    const bind = SECONDARIES.find(({ name }) => name === "BIND");
    if (bind === undefined) throw new Error("no BIND");
    const { key } = world.server;
    const { caCertificate } = world.certificates;
    const secondary = await bind.start({
      zone: "example.org",
      key,
      primaryPort: world.tlsPort.port,
      port: port.port,
      caCertificate,
    });
    try {
      const count = async () =>
        (await transfer({ port: secondary.port, name: "example.org", key })).length;
      expect(await count()).toBe(COUNT + 3);
      await nsupdate({ port: world.server.port, zone: "example.org", key }, [
        "add by-tls.example.org. 60 A 192.0.2.9",
      ]);
      await eventually("the change by TLS", count, (seen) => seen === COUNT + 4);
    } finally {
      await secondary.stop();
    }
  });
});
