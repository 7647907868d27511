/**
 * Rules about classes, access, definitions, ids of clusters and DNSProviders that go, each shown by
 * the smallest case that it decides. Throws at the first one that is broken.
 */
import { SERVICE } from "@zonekeeper/kube/objects/kinds";
import { apiVersionOf, type KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import { judgeDefinition } from "../../../src/app/commands/run/own-definitions.ts";
import { applicantOf, entryApplicant } from "../../../src/controllers/zone-choice/applicant.ts";
import { ProviderDeletions } from "../../../src/gardener/dns-provider/provider-deletion.ts";
import { isOfClass } from "../../../src/model/dns-class.ts";
import { DNS_PROVIDER } from "../../../src/model/kinds.ts";
import {
  ownerOf,
  presentOwners,
  type SourceScope,
} from "../../../src/source-controllers/entries/owner-link.ts";
import { VirtualClock } from "../../support/ports/virtual-clock.ts";
import { MemoryCluster } from "../../support/worlds/memory-cluster.ts";
import { demand } from "./demand.ts";

type Annotations = Readonly<Record<string, string>>;

function objectWith(annotations: Annotations, namespace = "team"): KubeObject {
  const metadata = { name: "x", namespace, annotations };
  return { apiVersion: apiVersionOf(DNS_PROVIDER), kind: DNS_PROVIDER.kind, metadata };
}

/** ADR 0052. */
export function proveDefinitions(): void {
  const rules = { maintainer: "zonekeeper", accepted: ["friend"], force: false };
  const act = (maintainer: string, version: string): string =>
    judgeDefinition(
      objectWith({
        "crds.gardener.cloud/maintainer": maintainer,
        "zonekeeper.dev/definition-version": version,
      }),
      rules,
    ).act;
  demand(act("dns-controller-manager", "0") === "leave", "Gardener's definition is changed");
  demand(act("zonekeeper", "99") === "keep", "a later definition is undone");
  demand(act("zonekeeper", "0") === "update", "an older definition stays");
  demand(act("friend", "99") === "update", "an accepted definition stays");
}

/** Z-30. */
export function proveClusterIds(): void {
  const scope: SourceScope = {
    ...{ kind: SERVICE, cluster: "new", targetCluster: "t", targetNamespace: null },
    aliases: new Map([["old", "new"]]),
  };
  const owners = "resources.gardener.cloud/owners";
  const former = objectWith({ [owners]: "old:/Service/a/web" });
  demand(ownerOf(scope, former) === "a/web", "an entry of a former id is not recognised");
  const other = objectWith({ [owners]: "else:/Service/a/web" });
  demand(ownerOf(scope, other) === null, "an entry of another cluster is taken");
  const patch = presentOwners(scope, former)?.[owners];
  demand(patch === "new:/Service/a/web", "a former id stays in the annotation");
  demand(presentOwners(scope, other) === null, "the annotation of another cluster is rewritten");
}

/** ADR 0051. */
export function proveAccess(): void {
  const owners = { "resources.gardener.cloud/owners": "/Service/a/web" };
  const judged = (namespace: string) =>
    entryApplicant(objectWith(owners, namespace), "dns").namespaces.join();
  demand(judged("dns") === "a", "an entry is not judged by its owners");
  demand(judged("team") === "team", "anybody can name an owner of another namespace");
  const far = { "resources.gardener.cloud/owners": "c2:/Service/a/web" };
  const reached = entryApplicant(objectWith(far, "dns"), "dns").namespaces;
  demand(reached.length === 0, "an owner of another cluster uses a DNSProvider of this one");
  const realms = objectWith({ "dns.gardener.cloud/realms": "b, a" });
  demand(applicantOf(realms, "z").realms.join() === "a,b", "an object's realms are not its own");
  demand(isOfClass(objectWith({}), ["gardendns"]), "no annotation is not the default class");
  const intern = objectWith({ "dns.gardener.cloud/class": "intern" });
  demand(!isOfClass(intern, ["gardendns"]), "an object of another class is served");
  demand(isOfClass(intern, ["gardendns", "intern"]), "a further class is not served");
}

/** Z-19. */
export async function proveDeletions(): Promise<void> {
  const clock = new VirtualClock();
  const removals = { isSettled: true, ownedNames: 1, removals: 1, hashes: ["4f0c"] };
  const deletions = new ProviderDeletions({
    entries: new MemoryCluster("c"),
    dnsClasses: ["gardendns"],
    clock,
    engine: { awaitedRemovals: () => removals },
  });
  const deletionTimestamp = new Date(clock.nowMs()).toISOString();
  const deleting = (annotations: Annotations): KubeObject => {
    const object = objectWith(annotations);
    return { ...object, metadata: { ...object.metadata, deletionTimestamp } };
  };
  const listed = { listing: { state: "listed" } } as const;
  const isOver = (annotations: Annotations = {}): boolean =>
    deletions.judge(deleting(annotations), listed).isOver;
  demand(!isOver(), "a DNSProvider goes before what is gone is removed");
  await clock.advance(60_000);
  demand(!isOver(), "a DNSProvider goes before what is gone is removed");
  demand(isOver({ "zonekeeper.dev/release": "true" }), "its annotation releases nothing");
  await clock.advance(3_600_000);
  demand(isOver(), "a namespace cannot be deleted");
}
