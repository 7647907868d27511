/**
 * Several accounts may show one zone, and its fuse is one (SAFETY Z-16): remembers which account
 * asked last for which held change. One account's plan of a name says nothing about what another
 * one wants to change there.
 */
import type { FuseItem } from "../../plan/fuse.ts";
import type { FusedPlans } from "../../plan/fuse-plans.ts";

/**
 * In memory only: after a restart each account asks anew. Holds no more than the held changes of
 * each account, of which only the identity matters.
 */
export class RequestingAccounts {
  readonly #requested = new Map<object, ReadonlyMap<string, FuseItem>>();

  /** Whether an account other than this one waits for the item. */
  isRequestedByOther(account: object, { id }: FuseItem): boolean {
    return [...this.#requested].some(([other, items]) => other !== account && items.has(id));
  }

  /** What the account waits for at these names is what is held now, and nothing else. */
  note(account: object, { isPlanned, held }: Pick<FusedPlans, "isPlanned" | "held">): void {
    const before = [...(this.#requested.get(account)?.values() ?? [])];
    const items = [...before.filter(({ name }) => !isPlanned(name)), ...held];
    if (items.length === 0) this.#requested.delete(account);
    else this.#requested.set(account, new Map(items.map((item) => [item.id, item])));
  }

  /** The account shows the zone no more and waits for nothing. */
  remove(account: object): void {
    this.#requested.delete(account);
  }
}
