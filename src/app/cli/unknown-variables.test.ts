import { expect, test } from "vitest";
import { unknownVariables } from "./given-options.ts";

test("a mistyped option is named with what was meant; what is set for Services is no option", () => {
  const environment = {
    ZONEKEEPER_POLCY: "sync",
    ZONEKEEPER_NOTHING_OF_THE_KIND: "1",
    ZONEKEEPER_OWNER: "me",
    ZONEKEEPER_HTTP_PORT: "0",
    ZONEKEEPER_SERVICE_HOST: "10.0.0.1",
    ZONEKEEPER_SERVICE_PORT_HTTP: "80",
    ZONEKEEPER_PORT: "tcp://10.0.0.1:80",
    ZONEKEEPER_PORT_80_TCP_ADDR: "10.0.0.1",
    ZONEKEEPER_METRICS_PORT: "tcp://10.0.0.2:80",
    HOME: "/",
  };
  expect(unknownVariables(environment)).toEqual([
    expect.stringMatching(/NOTHING_OF_THE_KIND .*options\.md lists them/),
    expect.stringMatching(/ZONEKEEPER_POLCY .*did you mean ZONEKEEPER_POLICY\?/),
  ]);
});
