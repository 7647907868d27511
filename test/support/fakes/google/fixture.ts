/** What tests of google-clouddns begin with: a fake with one zone, and a session on it. */
import { afterEach, beforeEach } from "vitest";
import type { ProviderSession } from "../../../../src/providers/provider.ts";
import { openGoogle, type StartedGoogle, startGoogle } from "./harness.ts";
import type { FakeManagedZone } from "./managed-zone.ts";

/** Of the test that runs now. */
export interface GoogleFixture extends StartedGoogle {
  /** `example.org`. */
  readonly zone: FakeManagedZone;
  readonly session: ProviderSession;
}

/** Another one for each test of the file; its fields are of the test that runs. */
export function googleFixture(): GoogleFixture {
  const fixture = {} as { -readonly [Field in keyof GoogleFixture]: GoogleFixture[Field] };
  beforeEach(async () => {
    const started = await startGoogle();
    const zone = started.fake.addZone("example-org", "example.org");
    Object.assign(fixture, started, { zone, session: openGoogle(started) });
  });
  afterEach(async () => {
    fixture.session.close();
    await fixture.fake.stop();
  });
  return fixture;
}
