/**
 * The address of a screen: `#/names?zone=example.org`. All of it is behind the hash, so that the
 * page works below any path, and no name that a person looks at reaches a log of requests.
 */
import { useEffect, useState } from "preact/hooks";

/** Where a person is. */
export interface Route {
  /** `names`; empty = the overview. */
  readonly screen: string;
  /** `www.example.org` of `#/name/www.example.org`; null = none. */
  readonly subject: string | null;
  readonly query: URLSearchParams;
}

/** Never fails: what cannot be read is the overview. */
export function routeOf(hash: string): Route {
  const [path = "", query = ""] = hash.replace(/^#\/?/, "").split("?", 2);
  const [screen = "", ...rest] = path.split("/");
  return { screen, subject: decoded(rest.join("/")), query: new URLSearchParams(query) };
}

function decoded(text: string): string | null {
  if (text === "") return null;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Null and empty values are left out. */
export type QueryValues = Readonly<Record<string, string | number | null>>;

/** `plan?zone=example.org`. */
export function withQuery(path: string, values: QueryValues): string {
  const given = Object.entries(values).flatMap(([key, value]) =>
    value === null || value === "" ? [] : [[key, String(value)] as [string, string]],
  );
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given)}`;
}

/** `#/name/a.example.org`; empty and null values of the query are left out. */
export function addressOf(
  screen: string,
  subject: string | null = null,
  query: QueryValues = {},
): string {
  const path = subject === null ? screen : `${screen}/${encodeURIComponent(subject)}`;
  return withQuery(`#/${path}`, query);
}

/** Goes there. `isSmall`: without a step back, as for each letter of a filter. */
export function go(address: string, isSmall = false): void {
  if (!isSmall) {
    location.hash = address;
    return;
  }
  history.replaceState(null, "", address);
  dispatchEvent(new HashChangeEvent("hashchange"));
}

/** The route now. */
export function useRoute(): Route {
  const [route, setRoute] = useState(() => routeOf(location.hash));
  useEffect(() => {
    const follow = (): void => setRoute(routeOf(location.hash));
    addEventListener("hashchange", follow);
    return () => removeEventListener("hashchange", follow);
  }, []);
  return route;
}
