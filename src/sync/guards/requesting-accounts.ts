/**
 * Remembers for a fuse which account requested which held change (Z-16, order: guard.ts).
 * Several accounts may show one zone, and they share its fuse. A plan of one account does not
 * withdraw the request of another one at the same name.
 */
import type { FuseItem } from "../../plan/fuse.ts";
import type { FusedPlans } from "../../plan/fuse-plans.ts";

/**
 * In memory only: after a restart each account requests its changes again. Bounded by the held
 * changes of each account; accounts are compared by identity.
 */
export class RequestingAccounts {
  readonly #requested = new Map<object, ReadonlyMap<string, FuseItem>>();

  /** Whether another account has requested the change. */
  isRequestedByOther(account: object, { id }: FuseItem): boolean {
    return [...this.#requested].some(([other, items]) => other !== account && items.has(id));
  }

  /** At the planned names, the account now requests the held changes and no others. */
  note(account: object, { isPlanned, held }: Pick<FusedPlans, "isPlanned" | "held">): void {
    const before = [...(this.#requested.get(account)?.values() ?? [])];
    const items = [...before.filter(({ name }) => !isPlanned(name)), ...held];
    if (items.length === 0) this.#requested.delete(account);
    else this.#requested.set(account, new Map(items.map((item) => [item.id, item])));
  }

  /** The account closed the zone: its requests end. */
  remove(account: object): void {
    this.#requested.delete(account);
  }
}
