import type { KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import { expect, test } from "vitest";
import { RENAMED_TO_ANNOTATION } from "../../model/annotation-keys.ts";
import { NotesSeen } from "./renamed-entries.ts";

function entry(note?: string): KubeObject {
  const annotations = note === undefined ? {} : { [RENAMED_TO_ANNOTATION]: note };
  const metadata = { name: "web-1", namespace: "default", annotations };
  const spec = { dnsName: "a.example.org" };
  return { apiVersion: "dns.gardener.cloud/v1alpha1", kind: "DNSEntry", metadata, spec };
}

const notedBy = (seen: NotesSeen, own: readonly KubeObject[], listed: readonly string[] = []) => [
  ...seen.of(KEY, { own, found: { items: listed.map((name) => ({ name })) } }),
];

const KEY = "default/web";
const of = (names: readonly string[]) => [["default/web-1", names]];

test("Z-32 what was noted is known when the note is gone, and what came later with it", () => {
  const seen = new NotesSeen();
  expect(notedBy(seen, [entry()])).toEqual([]);
  expect(notedBy(seen, [entry("b.example.org")])).toEqual(of(["b.example.org"]));
  expect(notedBy(seen, [entry()])).toEqual(of(["b.example.org"]));
  expect(notedBy(seen, [entry("?c.example.org")])).toEqual(of(["b.example.org", "c.example.org"]));
  expect(notedBy(seen, [entry("%%%")])).toEqual(of(["b.example.org", "c.example.org"]));
  expect([...seen.of("default/other", { own: [entry()], found: { items: [] } })]).toEqual([]);
});

test("Z-32 it is over where the name is listed again, and where entry or object is gone", () => {
  const seen = new NotesSeen();
  const noted = () => notedBy(seen, [entry("b.example.org")]);
  const left = () => notedBy(seen, [entry()]);
  noted();
  expect(notedBy(seen, [entry("b.example.org")], ["a.example.org"])).toEqual([]);
  expect(left()).toEqual([]);
  noted();
  expect(notedBy(seen, [])).toEqual([]);
  expect(left()).toEqual([]);
  noted();
  seen.forget(KEY);
  expect(left()).toEqual([]);
});
