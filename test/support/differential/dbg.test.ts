import { test } from "vitest";
import { leftByUs } from "./our-answers.ts";
import { NODES, worldOf } from "./worlds.ts";
test("dbg", async () => {
  const world = worldOf(Number(process.env["SEED"]));
  const m = (t: string, n: string, r: string) => ({ dnsName: `${t.toLowerCase()}-${n}`, recordType: "TXT", targets: [`"heritage=external-dns,external-dns/owner=me,external-dns/resource=${r}"`], recordTTL: 300 });
  const c = `c.${world.domain}`;
  const zone = [
    { dnsName: c, recordType: "A", targets: ["192.0.2.1", "192.0.2.10", "192.0.2.2"], recordTTL: 300 }, m("A", c, "ingress/w9/i0"),
    { dnsName: c, recordType: "AAAA", targets: ["2001:db8::1"], recordTTL: 300 }, m("AAAA", c, "ingress/w9/i2"),
  ];
  const out = await leftByUs(zone, [...NODES, ...world.before], [...NODES, ...world.after]);
  console.log(JSON.stringify(out.filter((o) => o.dnsName.includes(c)), null, 1));
});
