import { expect, test } from "vitest";
import { SERVICE_ENTRY } from "../../model/kinds.ts";
import type { Source } from "../../sources/source.ts";
import type { ClusterAccess } from "./controllers-options.ts";
import { shownSourcesOf, zoneSourcesOf } from "./source-clusters.ts";

const cluster = (clusterId: string) => ({ view: { clusterId } }) as unknown as ClusterAccess;
const source = (name: string, kind: string) => ({ name, primary: { kind } }) as unknown as Source;

test("with a config cluster, ServiceEntries of the others are shown, and not published", () => {
  const [own, eu, us] = ["home", "eu", "us"].map(cluster);
  const sources = [source("se", SERVICE_ENTRY.kind), source("svc", "Service")];
  const texts = (pairs: ReturnType<typeof zoneSourcesOf>): string =>
    pairs.map(([{ view }, { name }]) => `${view.clusterId}/${name}`).join(" ");
  if (own === undefined || eu === undefined || us === undefined) throw new Error("three");
  const options = {
    ...{ sourceClusters: [own], target: own, zoneSources: sources },
    further: { clusters: [eu], sources },
  };
  expect(texts(zoneSourcesOf(options))).toBe("home/se home/svc eu/se eu/svc");
  expect(texts(shownSourcesOf([us], options))).toBe("us/se us/svc");
  const configured = { ...options, configCluster: "home" };
  expect(texts(zoneSourcesOf(configured))).toBe("home/se home/svc eu/svc");
  expect(texts(shownSourcesOf([us], configured))).toBe("us/se us/svc eu/se");
});
