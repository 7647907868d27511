/** The resolver that all processes of a world ask (F17), and the hosts that it knows. */
import { OperationError } from "@zonekeeper/base/operation-error";
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import type { HostAddresses, Resolver } from "../../../src/ports/resolver.ts";

/** How it answers; only `answers` tells the truth. */
export type ResolverMood = "answers" | "fails" | "hangs" | "denies" | "hides";

/** Every host has one address. */
export const HOSTS = ["one", "two", "three"].map((label) => `${label}.hosts.example.net`);

/** Answers in the mood of the moment. */
export class SimResolver implements Resolver {
  readonly #addresses = new Map(HOSTS.map((host, index) => [host, `192.0.2.${51 + index}`]));
  readonly #mood: () => ResolverMood;

  constructor(mood: () => ResolverMood) {
    this.#mood = mood;
  }

  /** The address that a host has. */
  at(host: string): string {
    return this.#addresses.get(host) ?? "";
  }

  /** The host gets another address. */
  move(host: string, address: string): void {
    this.#addresses.set(host, address);
  }

  async textsOf(): Promise<readonly string[]> {
    return [];
  }

  async addressesOf(host: DnsName): Promise<HostAddresses> {
    switch (this.#mood()) {
      case "answers":
        return { a: [this.at(host)], aaaa: [] };
      case "denies":
        return { a: [], aaaa: [] };
      case "hides":
        return { a: ["0.0.0.0"], aaaa: ["::"] };
      case "hangs":
        return new Promise(() => {});
      case "fails":
        throw new OperationError({ code: "LookupFailed", message: "no", retry: "backoff" });
    }
  }
}
