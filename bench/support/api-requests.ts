/** Requests to an API, one line each: `PATCH /api/v1/…` or `patch /api/v1/…`. */

/** It changes an object; Leases and questions for rights do not count. */
export function isWrite(request: string): boolean {
  return !/^(get|list|watch) /i.test(request) && !/\/leases|accessreviews/.test(request);
}

/** How often each resource was written: `services`, `dnsentries/status`. */
export function writesOf(writes: readonly string[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const write of writes) {
    const resource = resourceOf(write);
    counts[resource] = (counts[resource] ?? 0) + 1;
  }
  return counts;
}

/** `VERB /apis/GROUP/VERSION/namespaces/NAMESPACE/RESOURCE/NAME/SUBRESOURCE?query`. */
function resourceOf(request: string): string {
  const [path = ""] = request.replace(/^\S+ /, "").split("?");
  const [, root, ...rest] = path.split("/");
  const below = rest.slice(root === "api" ? 1 : 2);
  const named = below[0] === "namespaces" && below.length > 2 ? below.slice(2) : below;
  const [resource = path, , subresource] = named;
  return subresource === undefined ? resource : `${resource}/${subresource}`;
}
