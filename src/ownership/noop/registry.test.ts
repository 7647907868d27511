import { expect, test } from "vitest";
import { rulesWith } from "../../../test/support/values/plan-rules.ts";
import {
  nameOf,
  parseDesired,
  parseZone,
  showZone,
} from "../../../test/support/values/zone-text.ts";
import { settle, step } from "../../../test/support/worlds/reconcile.ts";
import { ZoneModel } from "../../../test/support/worlds/zone-model.ts";
import { planName } from "../../plan/plan.ts";
import { openNoopOwnership } from "./registry.ts";

const ownership = openNoopOwnership();
const www = nameOf("www");

test("creates where no record exists, and asserts that none does", async () => {
  const zone = new ZoneModel([]);
  const plan = planName(www, parseDesired("www 300 A 192.0.2.1"), [], rulesWith());
  const prepared = await ownership.prepare(plan, zone);
  expect(prepared.ok && prepared.group.preconditions.length).toBe(2);
  expect(prepared.ok && zone.apply(prepared.group)).toBe(true);
  expect(showZone(zone.all())).toBe("www 300 A 192.0.2.1");
});

test("an existing record is foreign, and an adoption is refused", async () => {
  const zone = new ZoneModel(parseZone("www 300 A 192.0.2.1"));
  const current = await ownership.read(zone.all());
  const desired = parseDesired("www 300 A 192.0.2.1");
  expect(planName(www, desired, current, rulesWith()).holds[0]?.code).toBe("ForeignRecord");
  const plan = planName(www, desired, current, rulesWith({ adoption: { mode: "equal" } }));
  const prepared = await ownership.prepare(plan, zone);
  expect(!prepared.ok && prepared.holds[0]?.code).toBe("PolicyForbids");
  expect(ownership.related("www.example.org")).toEqual(["www.example.org"]);
  const group = { name: www, keys: [], changes: [], preconditions: [] };
  await ownership.confirm(group, { name: www, status: "applied" });
});

test("a record as the object wants it is published and stays without an owner; another one is foreign", async () => {
  const unmarked = rulesWith({ adoption: { mode: "unmarked" } });
  const current = await ownership.read(parseZone("www 300 A 192.0.2.1"));
  const planOf = (text: string) => planName(www, parseDesired(text), current, unmarked);
  expect(planOf("www 300 A 192.0.2.1")).toMatchObject({ changes: [], holds: [] });
  expect(planOf("www 300 A 192.0.2.2")).toMatchObject({
    changes: [],
    holds: [{ code: "ForeignRecord", message: expect.stringContaining("--noop-owns") }],
  });
  const later = planOf("www 60 A 192.0.2.1");
  const prepared = await ownership.prepare(later, new ZoneModel(parseZone("www 300 A 192.0.2.1")));
  expect(prepared).toMatchObject({ ok: false, holds: [{ code: "PolicyForbids" }] });
});

test("Z-14 under --noop-owns everything of a managed type is ours, and nothing elsewhere", async () => {
  const owning = openNoopOwnership({ owns: [nameOf("apps")], owner: "me" });
  const text =
    "a.apps 300 A 192.0.2.1\nb.apps 300 CNAME old.example.com\nmyapps 300 A 192.0.2.1\nc.apps 300 MX 10 mx.example.com";
  const zone = new ZoneModel(parseZone(text));
  const desired = parseDesired(
    "a.apps 300 A 192.0.2.2\nb.apps 300 A 192.0.2.3\nmyapps 300 A 192.0.2.4",
  );
  await settle({ zone, ownership: owning, desired, rules: rulesWith() });
  expect(showZone(zone.all())).toBe(
    "a.apps 300 A 192.0.2.2\nb.apps 300 A 192.0.2.3\nc.apps 300 MX 10 mx.example.com\nmyapps 300 A 192.0.2.1",
  );
  await settle({ zone, ownership: owning, desired: [], rules: rulesWith() });
  expect(showZone(zone.all())).toBe("c.apps 300 MX 10 mx.example.com\nmyapps 300 A 192.0.2.1");
});

test("Z-10 where a call takes one record set, a change of type takes two", async () => {
  const owning = openNoopOwnership({ owns: [nameOf("apps")], owner: "me", atomic: false });
  const zone = new ZoneModel(parseZone("apps 300 CNAME old.example.com"));
  const desired = parseDesired("apps 300 A 192.0.2.2");
  const first = await step(nameOf("apps"), {
    zone,
    ownership: owning,
    desired,
    rules: rulesWith(),
  });
  expect(first.group?.changes.map(({ op }) => op)).toEqual(["remove"]);
  expect(first.group?.rest?.writes.map(({ op }) => op)).toEqual(["create"]);
});

test("under --noop-owns a marker that would only be rewritten is no write", async () => {
  const owning = openNoopOwnership({ owns: [www], owner: "me2" });
  const zone = new ZoneModel(parseZone("www 300 A 192.0.2.1"));
  const plan = planName(
    www,
    parseDesired("www 300 A 192.0.2.1"),
    await owning.read(zone.all()),
    rulesWith(),
  );
  expect(plan.changes.map(({ reason }) => reason.code)).toEqual(["MarkerUpdate"]);
  const prepared = await owning.prepare(plan, zone);
  expect(prepared).toMatchObject({ ok: true, group: { changes: [] } });
});

test("a removal that was planned for another registry is refused, and is attributed to no object", async () => {
  const owning = openNoopOwnership({ owns: [www], owner: "me" });
  const zone = new ZoneModel(parseZone("www 300 A 192.0.2.1"));
  const plan = planName(www, [], await owning.read(zone.all()), rulesWith());
  expect(plan.changes.map(({ change }) => change?.op)).toEqual(["remove"]);
  const prepared = await ownership.prepare(plan, zone);
  expect(prepared).toMatchObject({
    ok: false,
    holds: [{ code: "PolicyForbids", provenance: null }],
  });
});

test("what it says of itself, and of what is ours", async () => {
  const owning = openNoopOwnership({ owns: [www], owner: "me" });
  expect([ownership.format, ownership.affected("a"), ownership.related("b")]).toEqual([
    "noop",
    ["a"],
    ["b"],
  ]);
  const sets = parseZone("www 300 A 192.0.2.1");
  const labels = { owner: "me", resource: "*" };
  const marker = { ...labels, cluster: null, labels, record: null, anyObject: true };
  expect(await owning.read(sets)).toMatchObject([{ data: sets[0], marker, contested: false }]);
  expect(await ownership.read(sets)).toMatchObject([{ marker: null, contested: false }]);
  const nameless = await openNoopOwnership({ owns: [www] }).read(sets);
  expect(nameless[0]?.marker?.owner).toBe("");
});

test("a change rests on its own key as it was read, and what is in the way goes in the same call", async () => {
  const owning = openNoopOwnership({ owns: [www], owner: "me" });
  const sets = parseZone("www 300 AAAA 2001:db8::1\nwww 300 CNAME x.example.com");
  const current = await owning.read(sets);
  const plan = planName(www, parseDesired("www 300 AAAA 2001:db8::2"), current, rulesWith());
  const prepared = await owning.prepare(plan, new ZoneModel(sets));
  if (!prepared.ok) throw new Error("held");
  expect(prepared.group.changes.map(({ op }) => op)).toEqual(["remove", "replace"]);
  expect(prepared.group.rest).toBeUndefined();
  const exact = prepared.group.preconditions.filter(({ is }) => is === "exact");
  expect(exact).toEqual(expect.arrayContaining(sets.map((set) => ({ is: "exact", set }))));
  expect(exact).toHaveLength(2);
});

test("a change of the marker alone asserts the record at its key, and nothing else", async () => {
  const owning = openNoopOwnership({ owns: [www], owner: "me2" });
  const sets = parseZone("www 300 A 192.0.2.1\nwww 300 MX 10 mx.example.com");
  const current = await owning.read(sets);
  const plan = planName(www, parseDesired("www 300 A 192.0.2.1"), current, rulesWith());
  const prepared = await owning.prepare(plan, new ZoneModel(sets));
  expect(prepared).toMatchObject({
    ok: true,
    group: { changes: [], preconditions: [{ is: "exact", set: sets[0] }] },
  });
});

test.each([true, false])("atomic %s: one write has no rest", async (atomic) => {
  const owning = openNoopOwnership({ owns: [www], owner: "me", atomic });
  const plan = planName(www, parseDesired("www 300 A 192.0.2.1"), [], rulesWith());
  const prepared = await owning.prepare(plan, new ZoneModel([]));
  if (!prepared.ok) throw new Error("held");
  expect([prepared.group.changes.length, prepared.group.rest]).toEqual([1, undefined]);
});

test("a hold says what to do, and for which object", async () => {
  const zone = new ZoneModel(parseZone("www 300 A 192.0.2.1"));
  const desired = parseDesired("www 300 A 192.0.2.1 ; from=ingress/shop/web");
  const rules = rulesWith({ adoption: { mode: "equal" } });
  const plan = planName(www, desired, await ownership.read(zone.all()), rules);
  expect(await ownership.prepare(plan, zone)).toMatchObject({
    holds: [
      {
        provenance: { kind: "ingress", namespace: "shop", name: "web" },
        message: expect.stringContaining("--noop-owns"),
      },
    ],
  });
});
