import { describe, expect, test } from "vitest";
import { rulesWith } from "../../../test/support/values/plan-rules.ts";
import {
  nameOf,
  ORIGIN,
  parseDesired,
  parseZone,
  shortName,
} from "../../../test/support/values/zone-text.ts";
import { ZoneModel } from "../../../test/support/worlds/zone-model.ts";
import type { RecordSet } from "../../model/record-set.ts";
import type { Change, NamePlan, Precondition } from "../../plan/changes.ts";
import { planName } from "../../plan/plan.ts";
import { gardenerFormat } from "../gardener/format.ts";
import { meshFormat } from "../mesh/format.ts";
import type { Prepared } from "../ownership.ts";
import type { NameMarkerFormat } from "./name-marker.ts";
import { NameOwnership } from "./name-ownership.ts";

const MESH = meshFormat(ORIGIN);
const GARDENER = gardenerFormat(ORIGIN);
const WWW = nameOf("www");
const isOwnedByUs = (owner: string) => owner === "me";

const open = (format: NameMarkerFormat, atomic = true) =>
  new NameOwnership({ apex: ORIGIN, isOwnedByUs, atomic }, format);

interface Case {
  readonly zone: string;
  readonly desired: string;
  readonly format?: NameMarkerFormat;
  /** What of the plan is prepared. */
  readonly part?: (plan: NamePlan) => NamePlan;
}

/** Prepares what is planned for `www`. */
async function prepared({ zone, desired, format = MESH, part }: Case): Promise<Prepared> {
  const sets = parseZone(zone);
  const ownership = open(format);
  const current = (await ownership.read(sets)).filter(({ name }) => name === WWW);
  const plan = planName(WWW, parseDesired(desired), current, rulesWith());
  return ownership.prepare(part === undefined ? plan : part(plan), new ZoneModel(sets));
}

const idText = (id: string | null) => (id === null ? "" : ` ; id=${id}`);
const setText = ({ name, type, values, setIdentifier }: RecordSet) =>
  `${shortName(name)} ${type} ${values.join(" ")}${idText(setIdentifier)}`;
const changeText = (change: Change) =>
  change.op === "remove"
    ? `- ${setText(change.previous)}`
    : `${change.op === "create" ? "+" : "~"} ${setText(change.next)}`;
const preconditionText = (one: Precondition) => {
  if (one.is === "exact") return `= ${setText(one.set)}`;
  if (one.is === "name-unused") return `0 ${shortName(one.name)}`;
  return `0 ${shortName(one.key.name)} ${one.key.type}${idText(one.key.setIdentifier)}`;
};

/** The writes in their order, and what they rest on, sorted. */
async function group(one: Case) {
  const result = await prepared(one);
  if (!result.ok) throw new Error(result.holds.map(({ message }) => message).join());
  const { changes, preconditions } = result.group;
  return [changes.map(changeText), preconditions.map(preconditionText).sort()];
}

const A = "www 300 A 192.0.2.1";
const text = (types: string, object = "service/default/web") =>
  `"cluster=c1,m=mesh,mesh=me,ns=${object.split("/")[1]},resource=${object},types=${types}"`;
const MARKED = `${A}\nwww 300 TXT ${text("A")}`;
const GARDENER_MARKER = '"owner=me" "prefix=comment-"';

describe("a group: what goes first, then markers, then what comes; on all that was read", () => {
  test.each<[string, Case, readonly string[], readonly string[]]>([
    [
      "a create",
      { zone: "", desired: A },
      [`+ www TXT ${text("A")}`, "+ www A 192.0.2.1"],
      ["0 _mesh.www TXT", "0 www A", "0 www CNAME", "0 www TXT"],
    ],
    [
      "a create in Gardener's form",
      { zone: "", desired: A, format: GARDENER },
      [
        `+ comment-www TXT ${GARDENER_MARKER} "resource-A=service/default/web"`,
        "+ www A 192.0.2.1",
      ],
      ["0 comment-www CNAME", "0 comment-www TXT", "0 www A", "0 www CNAME", "0 www TXT"],
    ],
    [
      "an update: the marker says it already",
      { zone: MARKED, desired: "www 300 A 192.0.2.2" },
      ["~ www A 192.0.2.2"],
      ["0 _mesh.www TXT", "= www A 192.0.2.1", `= www TXT ${text("A")}`],
    ],
    [
      "a removal",
      { zone: MARKED, desired: "" },
      ["- www A 192.0.2.1", `- www TXT ${text("A")}`],
      ["0 _mesh.www TXT", "= www A 192.0.2.1", `= www TXT ${text("A")}`],
    ],
    [
      "a marker alone rests on its data",
      { zone: MARKED, desired: `${A} ; from=ingress/shop/web` },
      [`~ www TXT ${text("A", "ingress/shop/web")}`],
      ["0 _mesh.www TXT", "= www A 192.0.2.1", `= www TXT ${text("A")}`],
    ],
    [
      "a second marker goes, and the first one stays as it is",
      { zone: `${MARKED}\n_mesh.www 300 TXT ${text("A")}`, desired: "www 300 A 192.0.2.2" },
      [`- _mesh.www TXT ${text("A")}`, "~ www A 192.0.2.2"],
      [`= _mesh.www TXT ${text("A")}`, "= www A 192.0.2.1", `= www TXT ${text("A")}`],
    ],
    [
      "a second marker goes, and the first one is rewritten",
      {
        zone: `${MARKED}\n_mesh.www 300 TXT ${text("A")}`,
        desired: `${A} ; from=ingress/shop/web`,
      },
      [`- _mesh.www TXT ${text("A")}`, `~ www TXT ${text("A", "ingress/shop/web")}`],
      [`= _mesh.www TXT ${text("A")}`, "= www A 192.0.2.1", `= www TXT ${text("A")}`],
    ],
    [
      "set identifiers have markers of their own",
      {
        zone: "",
        desired: `${A} ; id=eu policy=weighted\nwww 300 A 192.0.2.2 ; id=us policy=weighted`,
      },
      [
        `+ www TXT ${text("A")} ; id=eu`,
        `+ www TXT ${text("A")} ; id=us`,
        "+ www A 192.0.2.1 ; id=eu",
        "+ www A 192.0.2.2 ; id=us",
      ],
      [
        "0 _mesh.www TXT ; id=eu",
        "0 _mesh.www TXT ; id=us",
        "0 www A ; id=eu",
        "0 www A ; id=us",
        "0 www CNAME",
        "0 www TXT ; id=eu",
        "0 www TXT ; id=us",
      ],
    ],
    [
      "a half pair that goes rests on its marker alone",
      { zone: `www 300 TXT "mesh=me"`, desired: "" },
      ['- www TXT "mesh=me"'],
      ["0 _mesh.www TXT", '= www TXT "mesh=me"'],
    ],
  ])("%s", async (_, one, changes, grounds) => {
    expect(await group(one)).toEqual([changes, grounds]);
  });

  test.each<[string, Case, readonly string[], readonly string[]]>([
    [
      "an alias needs the marker's place",
      { zone: MARKED, desired: "www 300 CNAME lb.example.com" },
      [
        "- www A 192.0.2.1",
        `- www TXT ${text("A")}`,
        `+ _mesh.www TXT ${text("CNAME")}`,
        "+ www CNAME lb.example.com",
      ],
      ["0 _mesh.www TXT", "0 www CNAME", "= www A 192.0.2.1", `= www TXT ${text("A")}`],
    ],
    [
      "an alias in Gardener's form does not",
      {
        zone: `${A}\ncomment-www 600 TXT "owner=me"\ncomment-www 600 TXT "prefix=comment-"`,
        desired: "www 300 CNAME lb.example.com",
        format: GARDENER,
      },
      [
        "- www A 192.0.2.1",
        `~ comment-www TXT ${GARDENER_MARKER} "resource-CNAME=service/default/web"`,
        "+ www CNAME lb.example.com",
      ],
      ["0 www CNAME", "= www A 192.0.2.1", `= comment-www TXT ${GARDENER_MARKER}`],
    ],
  ])("%s", async (_, one, changes, grounds) => {
    const [written, asked] = await group(one);
    expect(written).toEqual(changes);
    expect(asked).toEqual(expect.arrayContaining([...grounds]));
  });

  test("what a marker says of types that are not planned stays said, type by type", async () => {
    const onlyA = (plan: NamePlan): NamePlan => ({
      ...plan,
      changes: plan.changes.filter(({ key }) => key.type === "A"),
    });
    const zone = `${A}\nwww 300 AAAA 2001:db8::1\napi 300 MX 1 x\napi 300 TXT ${text("MX")}
      www 300 AAAA 2001:db8::2 ; id=eu\nwww 300 TXT ${text("A AAAA SRV")}`;
    const [changes] = await group({
      zone,
      desired: "www 300 A 192.0.2.2 ; from=ingress/shop/web",
      part: onlyA,
    });
    expect(changes).toEqual([
      `~ www TXT ${text("AAAA SRV")} ${text("A", "ingress/shop/web")}`,
      "~ www A 192.0.2.2",
    ]);
  });

  test("a new marker has policy and properties of the data that comes", async () => {
    const result = await prepared({
      zone: MARKED.replaceAll("\n", " ; id=eu policy=latency\n").concat(" ; id=eu policy=latency"),
      desired: "www 300 CNAME lb.example.com ; id=eu policy=weighted",
    });
    if (!result.ok) throw new Error("held");
    const created = result.group.changes.flatMap((one) => (one.op === "create" ? [one.next] : []));
    expect(created).toMatchObject([
      { type: "TXT", ttlSeconds: 300, properties: {}, routingPolicy: { type: "weighted" } },
      { type: "CNAME" },
    ]);
  });
});

describe("what holds a name whole", () => {
  test.each<[string, Case, RegExp]>([
    [
      "neither place is free",
      { zone: "_mesh.www 300 CNAME x.example.com", desired: "www 300 CNAME lb.example.com" },
      /^www.example.org has CNAME lb.example.com; _mesh.www.example.org has CNAME x.example.com$/,
    ],
    [
      "a text with the form of a marker, beside others",
      { zone: "", desired: `${A}\nwww 300 TXT "mesh=you"` },
      /^the text has the form of an ownership marker and is not written/,
    ],
  ])("%s", async (_, one, message) => {
    const result = await prepared(one);
    expect(result).toMatchObject({ ok: false });
    for (const hold of result.ok ? [] : result.holds)
      expect([hold.message, hold.provenance]).toEqual([
        expect.stringMatching(message),
        { cluster: "c1", kind: "service", namespace: "default", name: "web" },
      ]);
  });

  test("another name's marker in the way of data", async () => {
    const result = await prepared({
      zone: `${A}\nwww 300 TXT ${text("A")}\n_mesh.www 300 TXT "hello"\n_mesh.www 300 TXT "you"`,
      desired: "",
    });
    expect(result.ok).toBe(true);
    const aside = nameOf("_mesh.www");
    const plan = planName(aside, parseDesired('_mesh.www 300 TXT "new"'), [], rulesWith());
    const zone = new ZoneModel(parseZone(`_mesh.www 300 TXT "hello"\n_mesh.www 300 TXT "you"`));
    expect(await open(MESH).prepare(plan, zone)).toMatchObject({
      holds: [
        {
          code: "NameInUse",
          message: 'TXT "hello", "you" already has this name: move or remove it',
        },
      ],
    });
  });

  test("a provider that takes one record set a call: it is said what to use", async () => {
    const plan = planName(WWW, parseDesired(A), [], rulesWith());
    const result = await open(MESH, false).prepare(plan, new ZoneModel([]));
    expect(result).toMatchObject({
      holds: [{ message: expect.stringMatching(/mesh needs .*use the registry txt or configmap/) }],
    });
  });
});

test("a marker concerns its own name and the name that it labels", () => {
  expect(open(GARDENER).affected(nameOf("comment-www"))).toEqual([nameOf("comment-www"), WWW]);
  expect(open(GARDENER).affected(WWW)).toEqual([WWW]);
});
