import { writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { leftByExternalDns } from "./external-dns.ts";
import { leftByUs } from "./our-answers.ts";
import { NODES, worldOf, type Endpoint } from "./worlds.ts";

const N = Number(process.env["N"] ?? 20);
const show = (all: readonly Endpoint[], domain: string) =>
  all
    .filter((one) => one.dnsName.endsWith(domain) && one.recordType !== "TXT")
    .map((one) => `${one.dnsName} ${one.recordTTL || 300} ${one.recordType} ${[...one.targets].sort().join(" ")}`)
    .sort();

test("x", async () => {
  const worlds = Array.from({ length: N }, (_, at) => worldOf(at));
  const zone = worlds.flatMap((one) => one.zone);
  const t0 = Date.now();
  const bin = process.env["EXTERNAL_DNS_BIN"] ?? "";
  const before = [...NODES, ...worlds.flatMap((one) => one.before)];
  const after = [...NODES, ...worlds.flatMap((one) => one.after)];
  const t1 = Date.now();
  const first = await leftByExternalDns(bin, zone, before);
  const t2 = Date.now();
  const second = await leftByExternalDns(bin, first, after);
  const t3 = Date.now();
  const ours = await leftByUs(zone, before);
  const t4 = Date.now();
  const moved = await leftByUs(first, before);
  const edited = await leftByUs(first, before, after);
  const t5 = Date.now();
  console.log("put", t1 - t0, "run", t2 - t1, "second", t3 - t2, "ours", t4 - t3, "edited", t5 - t4);
  const out: unknown[] = [];
  const sum = { first: 0, moved: 0, edited: 0 };
  for (const world of worlds) {
    const a = [show(first, world.domain), show(ours, world.domain)];
    const b = [show(first, world.domain), show(moved, world.domain)];
    const c = [show(second, world.domain), show(edited, world.domain)];
    for (const [k, [t, o]] of Object.entries({ first: a, moved: b, edited: c }) as any)
      if (JSON.stringify(t) !== JSON.stringify(o)) {
        (sum as any)[k]++;
        out.push({ k, domain: world.domain, theirs: t, ours: o, zone: world.zone.map((z) => `${z.dnsName} ${z.recordType} ${z.targets}`), before: world.before.map((p) => p.object), ...(k === "edited" ? { after: world.after.map((p) => p.object) } : {}) });
      }
  }
  console.log(sum);
  writeFileSync("/tmp/join-x/out.json", JSON.stringify(out, null, 1));
  expect(1).toBe(1);
}, 600_000);
