/** One place stops what would change a zone: by what a request says, not by its method. */
import type { HttpRequest, OpenHttp } from "@zonekeeper/base/ports/http";
import { trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { expect, test } from "vitest";
import type { VendorRequest } from "../../ports/vendor-http.ts";
import type { WriteRails } from "../../ports/write-gate.ts";
import { guardedHttp } from "./guarded-http.ts";

const ORG = trustedDnsName("example.org");
const NET = trustedDnsName("example.net");
const request = (method: string, changes: VendorRequest["changes"]): VendorRequest => ({
  method,
  path: "/",
  headers: {},
  body: null,
  signal: new AbortController().signal,
  changes,
});

/** The code of the refusal, or null; and what was sent. */
async function sent(rails: WriteRails, one: VendorRequest) {
  const requests: HttpRequest[] = [];
  const open: OpenHttp = () => ({
    request: async (got) => {
      requests.push(got);
      return { status: 200, headers: {}, body: (async function* () {})() };
    },
    close: () => undefined,
  });
  const answer = guardedHttp(open, rails)({ origin: "https://api.example" }).send(one);
  const refusal: unknown = await answer.then(
    () => null,
    (error: unknown) => error,
  );
  return { refusal, requests };
}

const paused = { dryRun: false, writeGate: (zone: unknown) => (zone === ORG ? "paused" : null) };

test.each<[string, WriteRails, RegExp]>([
  ["DryRun", { dryRun: true }, /about to be sent in a dry run/],
  ["Paused", paused, /paused; the change was not sent/],
])("%s: what changes the zone is not sent, whatever its method", async (code, rails, message) => {
  for (const method of ["GET", "POST"]) {
    const { refusal, requests } = await sent(rails, request(method, ORG));
    expect(refusal).toMatchObject({ code, nothingSent: true, retry: "never" });
    expect(String(refusal)).toMatch(message);
    expect(requests).toEqual([]);
  }
});

test("a POST that reads is sent, and one that changes a zone that is not paused", async () => {
  for (const [rails, zone] of [
    [{ dryRun: true }, null],
    [paused, null],
    [paused, NET],
    [{ dryRun: false }, ORG],
  ] as const) {
    const { refusal, requests } = await sent(rails, request("POST", zone));
    expect(refusal).toBeNull();
    expect(requests, "what it changes is nobody else's business").toEqual([
      expect.not.objectContaining({ changes: expect.anything() }),
    ]);
  }
});

test("a request that does not say what it changes is no request", () => {
  const { changes: _unsaid, ...unsaid } = request("POST", null);
  // @ts-expect-error: the field is required, so that no provider can forget it.
  const one: VendorRequest = unsaid;
  expect(one.method).toBe("POST");
});
