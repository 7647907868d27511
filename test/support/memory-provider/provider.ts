/**
 * The memory provider: zones that live in an object which tests, the simulator and `dev` can hold
 * on to. It has no credentials; two sessions opened on one account see the same zones.
 */
import { ok } from "@zonekeeper/base/result";
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import type { ProviderType } from "../../../src/providers/provider.ts";
import { type MemoryFaults, NO_FAULTS } from "./faults.ts";
import { MemorySession } from "./memory-session.ts";
import { MemoryZone, type MemoryZoneOptions } from "./memory-zone.ts";

/** The zones of one memory account. Zones may be added and taken away while sessions are open. */
export class MemoryAccount {
  #faults: MemoryFaults = NO_FAULTS;
  readonly #zones = new Map<string, MemoryZone>();

  /** Adds a zone; a zone with the same id is replaced. */
  addZone(options: MemoryZoneOptions): MemoryZone {
    const zone = new MemoryZone(options);
    this.#zones.set(zone.zone.id, zone);
    return zone;
  }

  /** Takes a zone out of the listing, as a provider does when access is lost. */
  removeZone(id: string): void {
    this.#zones.delete(id);
  }

  /** By name of the apex; null when there is none. */
  zoneNamed(name: DnsName): MemoryZone | null {
    return this.zones().find(({ zone }) => zone.name === name) ?? null;
  }

  /** What goes wrong from now on. */
  get faults(): MemoryFaults {
    return this.#faults;
  }

  /** Replaces what goes wrong, at any time; NO_FAULTS ends it. */
  breakWith(faults: MemoryFaults): void {
    this.#faults = faults;
  }

  /** In the order of adding. */
  zones(): readonly MemoryZone[] {
    return [...this.#zones.values()];
  }
}

/** A provider type `memory` whose sessions all work on `account`. Settings are ignored. */
export function memoryProvider(account: MemoryAccount): ProviderType {
  const faults: MemoryFaults = {
    apply: (zoneId, groups) => account.faults.apply(zoneId, groups),
    read: (...call) => account.faults.read(...call),
  };
  return {
    type: "memory",
    open: (_settings, environment) =>
      ok(new MemorySession({ zones: () => account.zones(), faults, environment })),
  };
}
