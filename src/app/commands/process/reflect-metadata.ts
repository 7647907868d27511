/**
 * The part of the Reflect metadata API that `tsyringe`, a dependency of `@peculiar/x509`, needs
 * when it is loaded. Written here since nothing else needs the API; our code uses no decorators.
 */

type Metadata = Map<unknown, unknown>;

/**
 * Adds the three functions to `Reflect` unless somebody else has. Call before importing
 * `@peculiar/x509`.
 */
export function provideReflectMetadata(): void {
  if ("getMetadata" in Reflect) return;
  const known = new WeakMap<object, Metadata>();
  const own = (key: unknown, target: object): unknown => known.get(target)?.get(key);
  const inherited = (key: unknown, target: object): unknown => {
    const parent: object | null = Object.getPrototypeOf(target);
    return own(key, target) ?? (parent === null ? undefined : inherited(key, parent));
  };
  Object.assign(Reflect, {
    getOwnMetadata: own,
    getMetadata: inherited,
    defineMetadata: (key: unknown, value: unknown, target: object): void => {
      const metadata: Metadata = known.get(target) ?? new Map();
      metadata.set(key, value);
      known.set(target, metadata);
    },
  });
}
