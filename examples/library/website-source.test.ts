/** What a Website wants, on node:test: `node --test website-source.test.js`. */
import { after, afterEach, before, describe, test } from "node:test";
import { testSource } from "zonekeeper/testing";
import { WEBSITE_DNS } from "./website-source.js";

const website = (spec: object) => ({
  ...{ apiVersion: "acme.example.org/v1", kind: "Website", spec },
  metadata: { name: "www", namespace: "default" },
});

testSource(
  { describe, test, before, after, afterEach },
  {
    row: WEBSITE_DNS,
    cases: [
      {
        title: "a host with addresses of both families",
        object: website({
          host: "www.example.org",
          addresses: ["192.0.2.2", "2001:DB8::1", "192.0.2.1"],
        }),
        wants: ["www.example.org A 192.0.2.1 192.0.2.2", "www.example.org AAAA 2001:db8::1"],
      },
      {
        title: "an address that is none keeps what there is",
        object: website({ host: "www.example.org", addresses: ["192.0.2.300"] }),
        ...{ wants: [], isComplete: false },
      },
    ],
  },
);
