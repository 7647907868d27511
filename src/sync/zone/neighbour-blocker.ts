/**
 * Whether a record set that is to be created would concern names of other tenants (namespaces of
 * clusters) around its own name (Z-28): `_dmarc.www` belongs to `www`, and a wildcard answers for
 * names that nobody lists. Existing record sets are never judged here. A holder is what exists or
 * is wanted at a name, with its tenant (name-holders.ts). Pure reading.
 */
import { type DnsName, isWildcard, parentOf } from "@zonekeeper/dns/names/dns-name";
import type { DesiredRecordSet } from "../../model/record-set.ts";
import type { Blocker } from "../../plan/rules.ts";
import { holdingOf, isSameTenant, permits, sharingAdvice } from "../../plan/tenants.ts";
import { basesIn } from "../cache/attached-names.ts";
import { fenceNamesOf } from "../contract/fence-record.ts";
import { cutOf } from "../delegation/zone-cuts.ts";
import { wildcardsOver } from "./cut-blocker.ts";
import { existingAt, type Holder, type NeighbourContext, wantedAt } from "./name-holders.ts";

/** Records that every apex has; they show no owner of the name. */
const OF_EVERY_APEX = /^(?:NS|SOA) /;

/** Why this record set may not be created beside names of others; null = it may. */
export function blockerAround(
  desired: DesiredRecordSet,
  context: NeighbourContext,
): Blocker | null {
  // clause: providers-share-neighbours
  if (context.tenancy.sharedNames) return null;
  const around = new Neighbourhood(desired, context);
  // A tenant with a record at the name has the name.
  // clause: own-record-may-change
  if (around.isOwnAt(desired.name)) return null;
  // clause: attached-name-blocks
  return (
    /* clause: server-of-cut-blocks */ around.ofCut() ??
    /* clause: base-name-blocks */ around.atBases() ??
    /* clause: wildcard-over-name-blocks */ around.ofWildcardsOver() ??
    around.below() ??
    around.ofAttached()
  );
}

/** The names around one record set that is to be created. */
class Neighbourhood {
  readonly #desired: DesiredRecordSet;
  readonly #context: NeighbourContext;

  constructor(desired: DesiredRecordSet, context: NeighbourContext) {
    this.#desired = desired;
    this.#context = context;
  }

  /** True when a record set of the same tenant exists at the name. */
  isOwnAt(name: DnsName): boolean {
    return existingAt(name, this.#context).some((holder) => this.#isOwn(holder));
  }

  /** A delegation of which this name is a server: its address decides who answers below the cut. */
  ofCut(): Blocker | null {
    const { name } = this.#desired;
    const { apex, state } = this.#context;
    const { at } = cutOf(state.table, apex, name);
    const existing = at === apex ? [] : existingAt(at, this.#context, this.#desired);
    const servers = existing.filter(({ text }) => text.startsWith("NS "));
    const others = this.#others(servers, /* clause: delegation-of-nobody-blocks */ "all");
    return this.#blocked(name, `${name} is a server of the delegation ${at}`, others);
  }

  /** Names that this one belongs to; an object that wants one of them blocks before it has it. */
  atBases(): Blocker | null {
    return firstOf(basesIn(this.#desired.name, this.#context.apex), (base) => this.#atBase(base));
  }

  #atBase(base: DnsName): Blocker | null {
    const { name } = this.#desired;
    if (this.isOwnAt(base)) return null;
    const existing = this.#others(
      existingAt(base, this.#context),
      /* clause: foreign-base-blocks */ "names",
    );
    const { attached } = this.#context.state.owned;
    const isOwnAttached = attached.of(base).some((one) => this.isOwnAt(one));
    const wanted = isOwnAttached ? [] : this.#others(wantedAt(base, this.#context));
    return this.#blocked(name, `${name} belongs to ${base}`, [...existing, ...wanted]);
  }

  /**
   * Wildcards that answer for this name now. Below a wildcard without an owner, ordinary names are
   * free, but not names that belong to another one (such as `_dmarc.www`).
   */
  ofWildcardsOver(): Blocker | null {
    const { name } = this.#desired;
    const bare = isWildcard(name) ? (parentOf(name) ?? name) : name;
    const isOrdinary = basesIn(bare, this.#context.apex).length === 0;
    const unowned = /* clause: foreign-wildcard-has-its-names */ isOrdinary ? "none" : "names";
    return firstOf(wildcardsOver(name, this.#context), (wildcard) => {
      if (wildcard === name || this.isOwnAt(wildcard)) return null;
      const others = this.#others(existingAt(wildcard, this.#context), unowned);
      return this.#blocked(wildcard, `${wildcard} answers for ${name}`, others);
    });
  }

  /** Names that exist or are wanted where this wildcard would answer. */
  below(): Blocker | null {
    const { name } = this.#desired;
    const { apex, index, state } = this.#context;
    if (/* clause: wildcard-over-names-blocks */ !isWildcard(name)) return null;
    const isOfFence = fenceNamesOf(apex);
    const names = index.cuts.namesUnder(name, state.table, () => index.names());
    return firstOf(names, (one) => {
      if (one === name || isOfFence(one) || this.#isHidden(one)) return null;
      const existing = this.#others(existingAt(one, this.#context, this.#desired), "names");
      const others = [
        ...existing,
        /* clause: wildcard-waits-for-desired */ ...this.#others(wantedAt(one, this.#context)),
      ];
      return this.#blocked(name, `${name} would answer around ${one}`, others);
    });
  }

  /** Names that exist and belong to this one. */
  ofAttached(): Blocker | null {
    const { name } = this.#desired;
    return firstOf(this.#context.state.owned.attached.of(name), (one) => {
      const others = this.#others(existingAt(one, this.#context));
      return this.#blocked(one, `${one} belongs to ${name}`, others);
    });
  }

  /** True below a delegation or DNAME: no wildcard of this zone answers there. */
  #isHidden(name: DnsName): boolean {
    const { table } = this.#context.state;
    const cut = table.delegationOf(name);
    return (cut !== null && cut !== name) || table.redirectionOf(name) !== null;
  }

  #isOwn({ tenant }: Holder): boolean {
    return tenant !== null && isSameTenant(tenant, this.#desired.provenance);
  }

  /**
   * Holders of other tenants that do not permit this record set. `unowned`: whether holders without
   * a known tenant count as well: none, all, or `names` (all but NS and SOA of an apex); they never
   * count where the DNSProviders of the zone are all in this record set's namespace.
   */
  #others(holders: readonly Holder[], unowned: "none" | "names" | "all" = "none") {
    if (holders.length === 0) return holders;
    const { namespaces } = this.#context.tenancy;
    const { namespace } = this.#desired.provenance;
    const isAlone = namespaces.length > 0 && namespaces.every((one) => one === namespace);
    const countsUnowned = unowned !== "none" && /* clause: sole-namespace-goes-on */ !isAlone;
    const isNeighbour = (text: string): boolean => unowned === "all" || !OF_EVERY_APEX.test(text);
    const given = holdingOf(this.#desired, this.#context.mainOwner);
    return holders.filter((holder) => {
      if (holder.tenant === null)
        return countsUnowned && /* clause: every-apex-has-ns-and-soa */ isNeighbour(holder.text);
      const isPermitted =
        holder.holding !== null &&
        /* clause: permit-opens-neighbours */ permits(holder.holding, given);
      return !this.#isOwn(holder) && !isPermitted;
    });
  }

  /** The blocker for the first holder. `opens`: the name that a DNSProvider may allow. */
  #blocked(opens: DnsName, relation: string, [holder]: readonly Holder[]): Blocker | null {
    if (holder === undefined || this.#context.tenancy.delegations.includes(opens)) return null;
    const { provenance } = this.#desired;
    const begin = `${relation}, and others have ${holder.text}; `;
    const end = `annotate each DNSProvider of the zone with zonekeeper.dev/allow-delegation "${opens}"`;
    if (holder.object === null)
      return {
        code: "ForeignRecord",
        message: `${begin}choose another name, remove that, or ${end}`,
      };
    const advice = sharingAdvice(holder.object, provenance);
    return { code: "NameTaken", message: `${begin}${advice}; or ${end}` };
  }
}

function firstOf(
  names: readonly DnsName[],
  blockerAt: (name: DnsName) => Blocker | null,
): Blocker | null {
  for (const name of names) {
    const blocker = blockerAt(name);
    if (blocker !== null) return blocker;
  }
  return null;
}
