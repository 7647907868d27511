/**
 * A DNSEntry that goes from one set of controllers to another one (ADR 0077), each rule shown by
 * the smallest story that it decides. Throws at the first one that is broken.
 */
import { trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { SECRET } from "@zonekeeper/kube/objects/kinds";
import { readEntry } from "../../../src/gardener/dns-entry/entry.ts";
import { publisherNote } from "../../../src/gardener/dns-entry/hand-over.ts";
import { CLASS_ANNOTATION, finalizersOf } from "../../../src/model/dns-class.ts";
import { DNS_ENTRY, DNS_PROVIDER } from "../../../src/model/kinds.ts";
import { NO_TRANSFER } from "../../../src/model/transfer-request.ts";
import { isPermittedClaim } from "../../../src/plan/claims.ts";
import { planName } from "../../../src/plan/plan.ts";
import { rulesWith } from "../../support/values/plan-rules.ts";
import { parseDesired, parseOwned, parseZone } from "../../support/values/zone-text.ts";
import { objectOf, programWorld } from "../../support/worlds/program-world.ts";
import { demand } from "./demand.ts";

const API = "dns.gardener.cloud/v1alpha1";
const OTHER = { dnsClasses: ["other"], owner: "you" } as const;
/** A marker without an object. */
const ANY = { anyObject: true } as const;
const NAME = "www.example.org";
const [FINALIZER] = finalizersOf(["gardendns"]);

function world() {
  const made = programWorld({ controllers: ["compound"] });
  const { cluster, clock, zone } = made;
  cluster.apply(SECRET, objectOf("v1", "Secret", "s2", {}));
  const metadata = { annotations: { [CLASS_ANNOTATION]: "other" } };
  const spec = { type: "memory", secretRef: { name: "s2" } };
  cluster.apply(DNS_PROVIDER, objectOf(API, "DNSProvider", "p2", { metadata, spec }));
  const entry = async (dnsClass: string, name = "www", target = "192.0.2.1", dnsName = NAME) => {
    const annotations = { [CLASS_ANNOTATION]: dnsClass };
    const spec = { dnsName, targets: [target] };
    cluster.apply(DNS_ENTRY, objectOf(API, "DNSEntry", name, { metadata: { annotations }, spec }));
    await clock.advance(60_000);
  };
  const isOf = (owner: string): boolean => zone().includes(`external-dns/owner=${owner},`);
  const hasFinalizer = (): boolean =>
    JSON.stringify(cluster.now(DNS_ENTRY, "default", "www")?.metadata.finalizers).includes(
      '"dns.gardener.cloud/compound"',
    );
  return { ...made, entry, isOf, hasFinalizer };
}

/** Z-13: who may use a permit without a claim. */
export function proveSameObject(): void {
  const takes = (resource: string | null): boolean => {
    const record = parseZone('_permit.a.www 300 TXT "permit"')[0];
    if (record === undefined) throw new Error("no record");
    const permit = { owner: "you", toOwner: "me", toResource: "service/default/web", record };
    const line = "www 300 A 192.0.2.1";
    const current = parseOwned(`${line} ; owner=you`).map((one) => {
      const marker = one.marker === null ? null : { ...one.marker, resource };
      return { ...one, permit, marker: marker && { ...marker, ...(resource ? {} : ANY) } };
    });
    const [desired] = parseDesired(line);
    if (desired === undefined) throw new Error("no record set");
    return isPermittedClaim(desired, { contenders: [desired], current, rules: rulesWith() });
  };
  demand(takes("service/default/web"), "the object of the record needs a claim");
  demand(!takes("service/default/next"), "a permit is used without a claim");
  demand(!takes(null), "a permit for the record of nobody is used without a claim");
}

/** ADR 0090: what the object had at another key is taken over, and nobody else's. */
export function proveFormerKeys(): void {
  const takes = (resource: string): boolean => {
    const [record] = parseZone('_permit.a.www 300 TXT "permit"');
    if (record === undefined) throw new Error("no record");
    const permit = { owner: "you", toOwner: "me", toResource: "service/default/web", record };
    const current = parseOwned(`www 300 A 192.0.2.1 ; owner=you resource=${resource}`);
    const desired = parseDesired("www 300 CNAME lb.example.net").map((one) => ({
      ...one,
      transfer: { ...NO_TRANSFER, claim: true },
    }));
    const permitted = current.map((one) => ({ ...one, permit }));
    const { changes } = planName(trustedDnsName(NAME), desired, permitted, rulesWith());
    return changes.some(({ reason }) => reason.code === "Transferred");
  };
  demand(takes("service/default/web"), "a record of the object under another type is left");
  demand(!takes("service/default/next"), "a record of another object goes at another key");
}

/** ADR 0090: the edit that moves the entry gives it another name, which somebody has at first. */
export async function proveRenamedHandOver(): Promise<void> {
  const { start, entry, hasFinalizer, clock, values, content } = world();
  const next = trustedDnsName("new.example.org");
  const taken = parseZone("new 300 A 192.0.2.9");
  const both = [start()];
  await entry("gardendns", "kept", "192.0.2.7", "kept.example.org");
  await entry("gardendns");
  await both[0]?.stop();
  content.write(
    taken.map((set) => ({ key: set, next: set })),
    clock.nowMs(),
  );
  both.push(start(undefined, OTHER));
  await entry("other", "www", "192.0.2.1", next);
  both.push(start());
  await clock.advance(60_000);
  demand(values(NAME).length > 0, "the former name goes before the new one is there");
  demand(hasFinalizer(), "the promise to remove the former name is gone");
  content.write(
    taken.map((set) => ({ key: set, next: null })),
    clock.nowMs(),
  );
  await clock.advance(600_000);
  demand(values(next).join() === "192.0.2.1", "the new name is not published");
  demand(values(NAME).length === 0, "the former name of an entry that moves stays");
  for (const one of both.slice(1)) await one.stop();
}

/** ADR 0091: a DNSProvider goes to another set, and what it leads to may have to go there, too. */
export async function proveLeftProvider(): Promise<void> {
  const { start, entry, isOf, clock, cluster } = world();
  const both = [start(), start(undefined, OTHER)];
  const give = (dnsClass: string) => {
    const spec = { type: "memory", secretRef: { name: "s" } };
    const metadata = { annotations: { [CLASS_ANNOTATION]: dnsClass } };
    cluster.apply(DNS_PROVIDER, objectOf(API, "DNSProvider", "p", { metadata, spec }));
  };
  const isHeld = (): boolean =>
    cluster.now(DNS_PROVIDER, "default", "p")?.metadata.finalizers?.includes(FINALIZER) === true;
  await entry("gardendns");
  give("other");
  await clock.advance(60_000);
  await entry("other");
  demand(isOf("you") && !isOf("me"), "an entry that moves with its DNSProvider is Error for good");
  demand(!isHeld(), "a DNSProvider that leads to nothing any more is held");
  give("gardendns");
  await entry("gardendns");
  demand(isOf("me"), "an entry that comes back with its DNSProvider is not taken");
  give("other");
  await clock.advance(2 * 3_600_000);
  demand(!isHeld(), "a DNSProvider that goes alone is held for ever");
  for (const one of both) await one.stop();
}

/** ADR 0089: two installations of one class, and an entry that the set `you` had. */
export function proveNotesRest(): void {
  const classes = ["gardendns"] as const;
  let annotations = { "zonekeeper.dev/publisher": "you other" };
  const metadata = { name: "www", finalizers: [...finalizersOf(classes)] };
  const written = ["me", "third", "me", "third"].map((owner) => {
    const object = { apiVersion: API, kind: "DNSEntry", metadata: { ...metadata, annotations } };
    const note = publisherNote(readEntry(object, "c1", classes), owner);
    if (note !== null) annotations = { "zonekeeper.dev/publisher": note };
    return note;
  });
  const isAtRest = written[0] === "me gardendns" && written.slice(1).every((one) => one === null);
  demand(isAtRest, "two installations of a class correct each other's note");
}

/** From one set to another one that runs beside it. */
export async function proveHandOver(): Promise<void> {
  const { start, entry, isOf, hasFinalizer, clock, values } = world();
  const both = [start(), start(undefined, OTHER)];
  await entry("gardendns");
  await both[0]?.stop();
  await entry("other", "www", "192.0.2.2");
  demand(hasFinalizer(), "the promise of a set that is down is gone");
  const again = start();
  await clock.advance(60_000);
  demand(isOf("you") && !isOf("me"), "an entry that moves between two sets is Error for good");
  demand(values(NAME).join() === "192.0.2.2", "what the spec says is not published");
  demand(!hasFinalizer(), "the finalizer of the former set stays");
  await entry("gardendns", "www", "192.0.2.2");
  demand(isOf("me"), "an entry that goes back is not handed over");
  for (const one of [...both.slice(1), again]) await one.stop();
}

/** By way of a class that nobody serves. */
export async function proveDetour(): Promise<void> {
  const { start, entry, isOf } = world();
  const both = [start(), start(undefined, OTHER)];
  await entry("gardendns");
  await entry("else");
  await entry("other");
  demand(isOf("you"), "an entry that no class served is not handed over");
  for (const one of both) await one.stop();
}

/** The set that is left writes no data: what is wanted now is for the other one to publish. */
export async function proveNothingNew(): Promise<void> {
  const { start, entry, isOf, values, clock, content } = world();
  const both = [start()];
  await entry("gardendns");
  await entry("other");
  // Its record is taken away by hand while the other set is not there.
  for (const set of content.at(trustedDnsName(NAME)))
    content.write([{ key: set, next: null }], clock.nowMs());
  both.push(start(undefined, OTHER));
  let seen = "";
  for (let ms = 0; ms < 60_000; ms += 1_000) {
    await clock.advance(1_000);
    if (values(NAME).length > 0 && isOf("me")) seen = "me";
  }
  demand(seen === "", "the set that is left publishes");
  for (const each of both) await each.stop();
}
