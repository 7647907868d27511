/** A resolver that answers what a test says, fails, or never answers. */
import { OperationError } from "@zonekeeper/base/operation-error";
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import type { HostAddresses, Resolver } from "../../../src/ports/resolver.ts";

/** Keeps the names that were asked for. */
export class FakeResolver implements Resolver {
  /** Hosts in the order in which they were asked for. */
  readonly asked: string[] = [];
  /** Addresses by host; a host without any does not exist. */
  readonly #hosts = new Map<string, readonly string[]>();
  /** `fails`: each answer is an error. `hangs`: no answer comes. */
  mood: "answers" | "fails" | "hangs" = "answers";

  /** Texts by name. */
  readonly texts = new Map<string, readonly string[]>();

  set(host: string, ...addresses: readonly string[]): void {
    this.#hosts.set(host, addresses);
  }

  async addressesOf(host: DnsName): Promise<HostAddresses> {
    this.asked.push(host);
    if (this.mood === "hangs") return new Promise(() => {});
    if (this.mood === "fails") throw failure();
    const all = this.#hosts.get(host) ?? [];
    const isIpv6 = (address: string): boolean => address.includes(":");
    return { a: all.filter((one) => !isIpv6(one)), aaaa: all.filter(isIpv6) };
  }

  async textsOf(name: DnsName): Promise<readonly string[]> {
    if (this.mood === "hangs") return new Promise(() => {});
    if (this.mood === "fails") throw failure();
    return this.texts.get(name) ?? [];
  }
}

function failure(): OperationError {
  return new OperationError({ code: "LookupFailed", message: "SERVFAIL", retry: "backoff" });
}
