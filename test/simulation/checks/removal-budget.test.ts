/** S5: the check counts what left the zone, and nothing that stands. */
import { expect, test } from "vitest";
import type { RecordSet } from "../../../src/model/record-set.ts";
import { nameOf } from "../../support/values/zone-text.ts";
import { RemovalBudget } from "./removal-budget.ts";

const HOSTS = ["www", "api", "shop", "mail"];

function setOf(host: string, type: string, values: readonly string[]): RecordSet {
  return {
    ...{ name: nameOf(host), type, ttlSeconds: 300, setIdentifier: null },
    ...{ properties: {}, routingPolicy: null, values },
  };
}

/** Hosts, each with an address that a person added; `state` is the end of their markers. */
function zoneOf(state: string): readonly RecordSet[] {
  const marker = `"heritage=external-dns,external-dns/owner=sim,external-dns/resource=dnsentry/default/e0${state}"`;
  return HOSTS.flatMap((host) => [
    setOf(host, "A", ["192.0.2.1", "198.51.100.1"]),
    setOf(`a-${host}`, "TXT", [marker]),
  ]);
}

/** One write of four record sets, all on weak proofs; three may go. */
function write(before: readonly RecordSet[], after: readonly RecordSet[]): void {
  new RemovalBudget(10).wrote({
    ...{ owner: "sim", before, after, atMs: 0, replaced: new Set(), strong: new Set() },
    ...{ wanted: new Set(["new.example.org A"]), listedBy: () => [], isIntended: () => true },
  });
}

const CHANGING = zoneOf(",external-dns/state=pending");

test("S5 a marker that begins to speak of a change removes no data that a person changed", () => {
  expect(() => write(zoneOf(""), CHANGING)).not.toThrow();
});

test("S5 data that a person changed counts once it is gone, and not when its marker goes", () => {
  const isMarker = ({ type }: RecordSet): boolean => type === "TXT";
  expect(() => write(CHANGING, CHANGING.filter(isMarker))).toThrow("S5: 4 record sets");
  expect(() =>
    write(
      CHANGING,
      CHANGING.filter((set) => !isMarker(set)),
    ),
  ).not.toThrow();
});
