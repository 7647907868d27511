/**
 * The kubectl harness: the versions are what they say, and nothing of the user's own configuration
 * is read.
 */
import { expect, test } from "vitest";
import { KUBECTL_VERSIONS, Kubectl } from "../support/clients/kubectl.ts";
import { describeReal } from "../support/real-servers/availability.ts";

for (const version of KUBECTL_VERSIONS) {
  describeReal(`kubectl ${version}`, [`kubectl-${version}`], () => {
    test("is the version that it says, and sees only its own kubeconfig", async () => {
      const kubectl = new Kubectl(version, "/nonexistent/kubeconfig");
      try {
        expect(await kubectl.ok(["version", "--client"])).toContain(`v${version}.`);
        expect(await kubectl.ok(["config", "view", "-o", "jsonpath={.clusters}"])).toMatch(
          /^(null|<nil>)?$/,
        );
        const refused = await kubectl.run(["--server=http://127.0.0.1:1", "get", "pods"]);
        expect(refused.code).not.toBe(0);
        expect(refused.stderr).toContain("127.0.0.1:1");
      } finally {
        await kubectl.close();
      }
    });
  });
}
