/**
 * Bad input on a running `dev`: the message is on the object or the command line, and what was
 * published stays.
 */
import { trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { frameMessage } from "@zonekeeper/dns/wire/framing/tcp-frames";
import { queryMessage } from "@zonekeeper/dns/wire/message/compose";
import { encodeMessage } from "@zonekeeper/dns/wire/message/encode-message";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { IDLE_MS_MAX } from "../../src/providers/rfc2136/limits.ts";
import { eventually } from "../support/ports/eventually.ts";
import { makeTempFolder } from "../support/ports/temp-folder.ts";
import { PROGRAM } from "../support/programs/dev-instance.ts";
import { Flood } from "../support/programs/flood.ts";
import { run } from "../support/programs/run.ts";
import { dnsEntry, UserSession } from "../support/programs/user-session.ts";
import { describeReal } from "../support/real-servers/availability.ts";

const GOOD = ["192.0.2.1"];

describeReal("bad input", ["kubectl-1.32", "dig"], () => {
  let user: UserSession;
  beforeAll(async () => {
    user = await UserSession.start("1.32", "--no-examples");
    await user.apply(dnsEntry("good", "good.example.org", "targets: [192.0.2.1]"));
    await user.apply(dnsEntry("edited", "edited.example.org", "targets: [192.0.2.1]"));
    await user.answersBecome("edited.example.org", "A", GOOD);
    await user.entryBecomes("edited", "Ready");
  });
  afterAll(() => user?.close());
  afterEach(async () => {
    expect(await user.answers("good.example.org"), "what is good stays published").toEqual(GOOD);
    expect(await user.answers("edited.example.org"), "so does what was edited").toEqual(GOOD);
  });
  const apply = (yaml: string) => user.kubectl.run(["apply", "-f", "-"], yaml);

  test("broken YAML", async () => {
    const { code, stderr } = await apply("kind: DNSEntry\n  spec: [");
    expect(code).not.toBe(0);
    expect(stderr).toMatch(/yaml|parse/i);
  });

  test.each([
    ["targets that are no list", "targets: 192.0.2.9", /spec\.targets/],
    ["a TTL that is text", 'ttl: "soon"', /spec\.ttl/],
    ["a field that there is not", "tragets: [192.0.2.9]", /tragets/],
  ])("the API refuses %s and names the field", async (_, line, field) => {
    const { code, stderr } = await apply(dnsEntry("edited", "edited.example.org", line));
    expect(code).not.toBe(0);
    expect(stderr).toMatch(field);
  });

  test.each([
    ["an address that is none", "edited.example.org", "targets: [192.0.2.300]", /192\.0\.2\.300/],
    ["a negative TTL", "edited.example.org", "targets: [192.0.2.9]\n  ttl: -5", /ttl/i],
    [
      "a TTL beyond all bounds",
      "edited.example.org",
      "targets: [192.0.2.9]\n  ttl: 4294967296",
      /ttl/i,
    ],
  ])(
    "%s: refused by the API, or Stale with the reason; the record stays",
    async (_, name, line, fragment) => {
      const { code, stderr } = await apply(dnsEntry("edited", name, line));
      if (code !== 0) {
        expect(stderr).toMatch(fragment);
        return;
      }
      const { status } = await user.entryBecomes("edited", "Stale");
      expect(String(status?.["message"])).toMatch(fragment);
      await apply(dnsEntry("edited", "edited.example.org", "targets: [192.0.2.1]"));
      await user.entryBecomes("edited", "Ready");
    },
  );

  test.each([
    ["two-dots", "a..example.org"],
    ["spaces", "a b.example.org"],
    ["long-label", `${"x".repeat(64)}.example.org`],
  ])(
    "a name that is none (%s): Invalid, and the message says what would be right",
    async (name, dnsName) => {
      const { code, stderr } = await apply(dnsEntry(name, dnsName, "targets: [192.0.2.9]"));
      if (code !== 0) {
        expect(stderr).toMatch(/dnsName/);
        return;
      }
      const { status } = await user.entryBecomes(name, "Invalid");
      expect(String(status?.["message"])).toMatch(/label/);
      await user.kubectl.ok(["delete", "dnse", name]);
    },
  );

  test("a name that no zone covers: Error, and the message says so", async () => {
    await apply(dnsEntry("lost", "www.example.com", "targets: [192.0.2.9]"));
    const { status } = await user.entryBecomes("lost", "Error");
    expect(String(status?.["message"])).not.toBe("");
    await user.kubectl.ok(["delete", "dnse", "lost"]);
  });

  test.each([
    ["a missing Secret", null, /secret/i],
    ["a Secret without its keys", "stringData: { Server: 127.0.0.1 }", /Zone|TSIG/],
    [
      "a server that is down",
      "stringData: { Server: '127.0.0.1:1', Zone: example.net., TSIGKeyName: k., TSIGSecret: c2VjcmV0 }",
      /127\.0\.0\.1:1/,
    ],
  ])("%s: the provider is in Error and says why, without the secret", async (_, data, fragment) => {
    if (data !== null) await user.apply(secret(data));
    await user.apply(provider());
    const { status } = await eventually(
      "the provider is in Error",
      () => user.get("dnspr", "bad"),
      (seen) => seen.status?.["state"] === "Error",
    );
    expect(String(status?.["message"])).toMatch(fragment);
    expect(JSON.stringify(status)).not.toContain("c2VjcmV0");
    await user.kubectl.ok(["delete", "dnspr", "bad", "--timeout=20s"]);
    await user.kubectl.ok(["delete", "secret", "bad", "--ignore-not-found", "--timeout=20s"]);
  });

  test("a refused TSIG key: the provider or its entries say that it is the key", async () => {
    const { dns } = user.dev.ready();
    const wrong = Buffer.from("not the secret of this server!!!").toString("base64");
    await user.apply(
      secret(
        `stringData: { Server: '${dns}', Zone: example.org., TSIGKeyName: wrong., TSIGSecret: '${wrong}' }`,
      ),
    );
    await user.apply(provider());
    const { status } = await eventually(
      "the provider tells of the key",
      () => user.get("dnspr", "bad"),
      (seen) => /key/i.test(String(seen.status?.["message"])),
    );
    expect(JSON.stringify(status)).not.toContain(wrong);
    await user.kubectl.ok(["delete", "dnspr", "bad", "--timeout=20s"]);
    await user.kubectl.ok(["delete", "secret", "bad", "--timeout=20s"]);
  });

  test("a port in use and a data folder in use: exit 1 and a message that says what to do", async () => {
    const folder = makeTempFolder("second");
    const start = (...args: readonly string[]) =>
      run("node", [PROGRAM, "dev", "--no-examples", ...args]);
    const port = String(user.dev.dnsPort);
    const second = await start("--data", folder.path, "--dns-port", port);
    expect([second.code, second.stdout]).toEqual([1, ""]);
    expect(second.stderr).toContain(port);
    const same = await start("--data", user.dev.data);
    expect(same.code).toBe(1);
    expect(same.stderr).toMatch(/data/);
    folder.remove();
  });

  const question = queryMessage(1, { name: trustedDnsName("good.example.org"), type: "A" });
  test.each([
    ["one-byte", new Uint8Array([0])],
    ["question", frameMessage(encodeMessage(question))],
  ])(
    "more TCP connections with a %s than the name server takes: changes go on",
    async (name, bytes) => {
      const flood = new Flood(user.dev.dnsPort, bytes);
      try {
        await eventually(
          "the flood is there",
          async () => flood.opened,
          (opened) => opened > 1_000,
        );
        // Longer than the controllers keep a connection.
        await new Promise((resolve) => setTimeout(resolve, IDLE_MS_MAX + 1_000));
        await user.apply(dnsEntry(name, `${name}.example.org`, "targets: [192.0.2.7]"));
        await user.answersBecome(`${name}.example.org`, "A", ["192.0.2.7"]);
      } finally {
        flood.stop();
      }
    },
  );

  test("an option that there is not, and a value that cannot be", async () => {
    for (const args of [["--no-such-option"], ["--ttl", "soon"]]) {
      const { code, stderr } = await run("node", [PROGRAM, "dev", ...args]);
      expect(code).not.toBe(0);
      expect(stderr).toContain(args[0]);
    }
  });

  test("a data folder that cannot be used", async () => {
    const args = [PROGRAM, "dev", "--data", "/dev/null/below"];
    const { code, stderr } = await run("node", args);
    expect(code).toBe(1);
    expect(stderr).toContain("/dev/null/below");
  });
});

function secret(data: string): string {
  return `apiVersion: v1\nkind: Secret\nmetadata: { name: bad, namespace: default }\n${data}\n`;
}

function provider(): string {
  return [
    "apiVersion: dns.gardener.cloud/v1alpha1",
    "kind: DNSProvider",
    "metadata: { name: bad, namespace: default }",
    "spec: { type: rfc2136, secretRef: { name: bad } }",
    "",
  ].join("\n");
}
