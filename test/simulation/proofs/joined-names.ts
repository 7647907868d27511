/**
 * One name of several objects under the dialect of external-dns (ADR 0126): a value goes with its
 * object alone, and never for want of an answer. Throws at the first rule that is broken; no test
 * framework, so that mutants can be bundled.
 */
import { SERVICE } from "@zonekeeper/kube/objects/kinds";
import { EXTERNAL_DNS_SOURCES } from "../../../src/sources/external-dns-rows.ts";
import { rulesByFlags } from "../../support/values/external-dns-flags.ts";
import { objectOf, programWorld } from "../../support/worlds/program-world.ts";
import { demand } from "./demand.ts";

const NAME = "www.example.org";
const BOTH = "192.0.2.1,192.0.2.2";

/** Services `a` and `b` have the name, each with its address. */
async function begun(isDialect = true) {
  const controllers = ["compound", "service"];
  const world = programWorld({ sources: EXTERNAL_DNS_SOURCES, controllers });
  const { cluster, clock } = world;
  const service = (name: string, hostname: string, ip: string | null): void => {
    const metadata = { annotations: { "external-dns.kubernetes.io/hostname": hostname } };
    const spec = { type: "LoadBalancer" };
    cluster.apply(SERVICE, objectOf("v1", "Service", name, { metadata, spec }));
    const ingress = ip === null ? [] : [{ ip }];
    cluster.setStatus(SERVICE, "default", name, { loadBalancer: { ingress } });
  };
  service("a", NAME, "192.0.2.1");
  service("b", NAME, "192.0.2.2");
  const publish = isDialect ? { externalDns: rulesByFlags() } : {};
  const running = world.start("direct", { publish });
  await clock.advance(30_000);
  return {
    ...{ cluster, clock, service, stop: () => running.stop() },
    answer: () => world.values(NAME).join(),
  };
}

/** Without the dialect the first one has the name. */
async function proveConsent(): Promise<void> {
  const world = await begun(false);
  demand(world.answer() === "192.0.2.1", "objects are joined without the dialect");
  await world.stop();
}

async function proveWaiting(): Promise<void> {
  const world = await begun();
  demand(world.answer() === BOTH, "objects are not joined");
  world.service("b", NAME, null);
  await world.clock.advance(60_000);
  demand(world.answer() === BOTH, "an address goes although its object lists the name");
  await world.stop();
}

/** It takes the name off, and writes it again before the program hears of it. */
async function proveAsking(): Promise<void> {
  const world = await begun();
  world.service("b", "other.example.org", "192.0.2.2");
  world.cluster.holdWatch(SERVICE);
  world.service("b", NAME, "192.0.2.2");
  await world.clock.advance(60_000);
  demand(world.answer() === BOTH, "an address goes whose object has the name again");
  world.cluster.relist(SERVICE);
  world.cluster.delete(SERVICE, "default", "b");
  await world.clock.advance(120_000);
  demand(world.answer() === "192.0.2.1", "an address stays whose object is gone");
  await world.stop();
}

/** All of it. */
export async function proveJoinedNames(): Promise<void> {
  await proveConsent();
  await proveWaiting();
  await proveAsking();
}
