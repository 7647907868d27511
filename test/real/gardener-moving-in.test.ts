/**
 * `run --registry gardener` over a zone of BIND that Gardener until v0.22 kept with our owner id:
 * its markers name no object. Entries of equal values are Ready, edits are published, and a record
 * goes with the entry that had it; other values wait for an approval. dig and kubectl are the
 * judges.
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import { describeOnBoth } from "../support/api-servers/on-both.ts";
import { eventually } from "../support/ports/eventually.ts";
import { PROGRAM } from "../support/programs/dev-instance.ts";
import { run } from "../support/programs/run.ts";
import type { RunInstance } from "../support/programs/run-instance.ts";
import type { RunSession } from "../support/programs/run-session.ts";
import { startBind } from "../support/real-servers/bind.ts";
import { account, entry, together } from "../support/values/cluster-objects.ts";
import { RealZone } from "../support/values/real-zone.ts";

const TEXTS = ['"owner=my-id"', '"prefix=comment-"'];

const kept = (label: string, address: string): readonly string[] => [
  `${label} 300 IN A ${address}`,
  ...TEXTS.map((text) => `comment-${label} 600 IN TXT ${text}`),
];

describeOnBoth("moving in from Gardener v0.22", ["bind", "dig"], (server) => {
  let session: RunSession;
  let zone: RealZone;
  let instance: RunInstance;

  beforeAll(async () => {
    const records = [
      ...kept("a", "192.0.2.1"),
      ...kept("b", "192.0.2.2"),
      ...kept("gone", "192.0.2.3"),
    ];
    zone = new RealZone(await startBind({ zone: "example.net", records }));
    session = await server.open();
  });
  afterAll(async () => {
    await session?.close();
    await zone?.server.stop();
  });

  const wants = (label: string, address: string): string =>
    entry(label, zone.name(label), { targets: [address], ttl: 300 });

  test("an entry of equal values has its record, and one of others waits", async () => {
    const { user } = session;
    await user.apply(
      together(account("net", zone.server), wants("a", "192.0.2.1"), wants("b", "192.0.2.9")),
    );
    const before = await zone.content();
    const shadow = await run(process.execPath, [
      ...[PROGRAM, "shadow", "--dialect=gardener", "--identifier=my-id", "--registry=gardener"],
      ...["--kubeconfig", session.kubeconfig, "--provider-trusted-namespaces=*"],
    ]);
    expect([shadow.code, shadow.stdout]).toEqual([
      2,
      expect.stringMatching(/0 equal, 2 different, 1 orphans.*a\.example\.net A .*: marker only;/s),
    ]);
    expect(await zone.content()).toEqual(before);
    expect(await user.events("DNSEntry", "a")).toEqual([]);
    instance = await session.run("my-id", "--registry", "gardener", "--dialect", "gardener");
    await user.becomes("dnse", "a", "Ready");
    await zone.becomes("comment-a", "TXT", ...TEXTS, '"resource-A=dnsentry/default/a"');
    const plan = await eventually(
      "what differs waits",
      async () => (await instance.cli("plan")).stdout,
      (text) => /zonekeeper approve \w{16}/.test(text),
    );
    expect(plan).toContain("FirstContact");
    expect(plan).toMatch(/gone\.example\.net A KindUnknown/);
    expect(await zone.answers("b")).toEqual(["192.0.2.2"]);
    const hash = /zonekeeper approve (\w{16})/.exec(plan)?.[1] ?? "";
    expect((await instance.cli("approve", hash)).code).toBe(0);
    await zone.becomes("b", "A", "192.0.2.9");
  });

  test("an edit is published, and the record goes with its entry; what nobody has stays", async () => {
    const { user } = session;
    await user.apply(wants("a", "192.0.2.11"));
    await zone.becomes("a", "A", "192.0.2.11");
    await user.delete("dnse", "a");
    await zone.becomes("a", "A");
    await zone.becomes("comment-a", "TXT");
    expect(await zone.answers("gone")).toEqual(["192.0.2.3"]);
    expect(await zone.answers("comment-gone", "TXT")).toEqual(TEXTS);
  });
});
