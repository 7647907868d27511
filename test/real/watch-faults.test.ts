/**
 * The watch cache under faults on real sockets: before the embedded control plane, and before a
 * real kube-apiserver.
 */
import { watchFaults } from "../conformance/watch-faults.ts";
import { startKubeApiServer } from "../support/api-servers/kube-apiserver.ts";
import { startControlPlane } from "../support/clients/control-plane-server.ts";
import { describeReal } from "../support/real-servers/availability.ts";

watchFaults("the embedded control plane", startControlPlane);

describeReal("a real server", ["kube-apiserver"], () => {
  watchFaults("kube-apiserver", startKubeApiServer);
});
