import { trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { describe, expect, test } from "vitest";
import { type Zone, zoneIdentity, zoneText } from "./zone.ts";

const ZONE: Zone = {
  id: "example.org",
  name: trustedDnsName("example.org"),
  providerType: "rfc2136",
  endpoint: "192.0.2.53:53",
  view: "",
};

describe("the identity of a zone is a stored key", () => {
  test("its fields: the view only where there is one", () => {
    expect(zoneIdentity(ZONE)).toEqual(["rfc2136", "192.0.2.53:53", "example.org"]);
    expect(zoneIdentity({ ...ZONE, view: "inside" }).at(-1)).toBe("inside");
    expect(zoneIdentity({ ...ZONE, endpoint: "" })).toEqual(["rfc2136", "", "example.org"]);
  });

  test("its text: empty fields are left out", () => {
    expect(zoneText(ZONE)).toBe("rfc2136 192.0.2.53:53 example.org");
    expect(zoneText({ ...ZONE, endpoint: "", view: "inside" })).toBe("rfc2136 example.org inside");
  });
});
