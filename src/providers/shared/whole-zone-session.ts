/**
 * A session of a back end that has the whole zone at hand, such as a file: it is read and written
 * as a whole, and writes compare what is there, so that nothing has to be remembered.
 */
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import type { RecordSet } from "../../model/record-set.ts";
import type { Zone } from "../../model/zone.ts";
import type { ChangeGroup, Outcome } from "../../plan/changes.ts";
import type { ProviderEnvironment } from "../provider.ts";
import { type Batch, BatchSession, heldTogether } from "./batch-session.ts";
import { changedOutcome } from "./failed-calls.ts";
import { refuseWrites } from "./guarded-http.ts";
import type { Listing } from "./pages.ts";
import { normalizePlain } from "./plain-sets.ts";
import { setsAfterGroup } from "./vendor-session.ts";

/** Atomic over the zone: a call is made as a whole, or not at all. */
export abstract class WholeZoneSession extends BatchSession<RecordSet> {
  /** `remedy`: what to do where the back end refuses, such as `correct the rights of the file`. */
  constructor(environment: ProviderEnvironment, remedy: string) {
    super(environment, { keyRemedy: remedy });
  }

  /** All record sets of the zone as they are now. Throws where they cannot be read. */
  protected abstract setsIn(zone: Zone): readonly RecordSet[];

  /** Replaces them in one step. Throws OperationError where it may have been made or not. */
  protected abstract replaceSets(zone: Zone, sets: readonly RecordSet[]): Promise<void>;

  normalize(set: RecordSet): RecordSet {
    return normalizePlain(set, this.capabilities.ttl);
  }

  close(): void {}

  protected override questionsMax(): number {
    return 0;
  }

  protected override worthKeeping(): readonly RecordSet[] {
    return [];
  }

  protected nameOf({ name }: RecordSet): DnsName {
    return name;
  }

  protected toSets(items: readonly RecordSet[]): readonly RecordSet[] {
    return items;
  }

  protected async listZone(zone: Zone): Promise<Listing<RecordSet>> {
    return { items: this.setsIn(zone), calls: 1 };
  }

  protected batchOf(zone: Zone, groups: readonly ChangeGroup[]): Batch<RecordSet> {
    const troubles = new Map<number, Outcome>();
    let sets = this.setsIn(zone);
    for (const [index, group] of groups.entries()) {
      const next = setsAfterGroup(sets, group, (set) => this.normalize(set));
      if (next === null)
        troubles.set(index, changedOutcome(group.name, "the zone is not as it was read"));
      else sets = next;
    }
    return {
      held: heldTogether(groups, troubles),
      send: async () => {
        refuseWrites(this.environment, zone.name);
        await this.replaceSets(zone, sets);
        return { after: new Map() };
      },
    };
  }
}
