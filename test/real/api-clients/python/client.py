"""A script on Python's kubernetes client, typed and dynamic: create, page, patch, watch, server-side
apply, Events, status of a custom kind, and an election by a Lease. Prints a line for each thing that
it saw and ends. KUBECONFIG says where."""

import threading
from datetime import datetime, timezone

from kubernetes import client, config, dynamic, watch
from kubernetes.leaderelection import electionconfig, leaderelection
from kubernetes.leaderelection.resourcelock.leaselock import LeaseLock

NAMESPACE = "default"


def service(name):
    return client.V1Service(
        metadata=client.V1ObjectMeta(name=name),
        spec=client.V1ServiceSpec(ports=[client.V1ServicePort(name="web", port=80)]),
    )


def typed(core):
    for name in ("a", "b", "c"):
        core.create_namespaced_service(NAMESPACE, service(name))
    first = core.list_namespaced_service(NAMESPACE, limit=2, label_selector="!provider")
    rest = core.list_namespaced_service(
        NAMESPACE, limit=2, label_selector="!provider", _continue=first.metadata._continue
    )
    print("listed", *[each.metadata.name for each in first.items + rest.items], flush=True)
    # A dict is a strategic merge patch: the port is added to the one that is there.
    patched = core.patch_namespaced_service("a", NAMESPACE, {"spec": {"ports": [{"name": "tls", "port": 443}]}})
    print("patched", *sorted(port.port for port in patched.spec.ports), flush=True)
    patched = core.patch_namespaced_service(
        "a", NAMESPACE, [{"op": "remove", "path": "/spec/ports/0"}]
    )
    print("patched", *[port.port for port in patched.spec.ports], flush=True)
    try:
        stale = core.read_namespaced_service("a", NAMESPACE)
        stale.metadata.resource_version = "1"
        core.replace_namespaced_service("a", NAMESPACE, stale)
    except client.ApiException as refusal:
        print("refused", refusal.status, refusal.reason, flush=True)


def config_map(name):
    return client.V1ConfigMap(metadata=client.V1ObjectMeta(name=name), data={"a": "b"})


def watched(core):
    core.create_namespaced_config_map(NAMESPACE, config_map("old"))
    version = core.list_namespaced_config_map(NAMESPACE).metadata.resource_version
    core.delete_namespaced_config_map("old", NAMESPACE)
    core.create_namespaced_config_map(NAMESPACE, config_map("new"))
    stream = watch.Watch()
    for event in stream.stream(
        core.list_namespaced_config_map, NAMESPACE, resource_version=version, allow_watch_bookmarks=True
    ):
        print("watched", event["type"], event["object"].metadata.name, flush=True)
        if event["type"] == "ADDED":
            stream.stop()


def recorded(api, core):
    about = core.read_namespaced_service("a", NAMESPACE)
    reference = client.V1ObjectReference(
        api_version="v1", kind="Service", name="a", namespace=NAMESPACE, uid=about.metadata.uid
    )
    meta = client.V1ObjectMeta(generate_name="a-")
    core.create_namespaced_event(
        NAMESPACE,
        client.CoreV1Event(metadata=meta, involved_object=reference, reason="Old", message="core", type="Normal"),
    )
    client.EventsV1Api(api).create_namespaced_event(
        NAMESPACE,
        client.EventsV1Event(
            metadata=meta,
            regarding=reference,
            reason="New",
            note="events",
            action="Look",
            type="Normal",
            event_time=datetime.now(timezone.utc),
            reporting_controller="example.org/python",
            reporting_instance="python-0",
        ),
    )
    events = core.list_namespaced_event(NAMESPACE, field_selector="involvedObject.name=a").items
    print("recorded", *sorted(f"{event.reason}:{event.message}" for event in events), flush=True)


def applied(api):
    entries = dynamic.DynamicClient(api).resources.get(api_version="dns.gardener.cloud/v1alpha1", kind="DNSEntry")
    entry = {
        "apiVersion": "dns.gardener.cloud/v1alpha1",
        "kind": "DNSEntry",
        "metadata": {"name": "python"},
        "spec": {"dnsName": "python.example.org", "targets": ["192.0.2.1"]},
    }
    entries.server_side_apply(body=entry, name="python", namespace=NAMESPACE, field_manager="python")
    entry["spec"]["targets"] = ["192.0.2.2"]
    try:
        entries.server_side_apply(body=entry, name="python", namespace=NAMESPACE, field_manager="other")
    except client.ApiException as refusal:
        print("refused", refusal.status, refusal.reason, flush=True)
    made = entries.server_side_apply(
        body=entry, name="python", namespace=NAMESPACE, field_manager="other", force_conflicts=True
    )
    print("applied", *made.spec.targets, flush=True)
    entries.status.patch(
        body={"status": {"state": "Ready"}},
        name="python",
        namespace=NAMESPACE,
        content_type="application/merge-patch+json",
    )
    print("state", entries.get(name="python", namespace=NAMESPACE).status.state, flush=True)
    entries.delete(name="python", namespace=NAMESPACE)


def elected():
    leads = threading.Event()
    settings = electionconfig.Config(
        LeaseLock("python", NAMESPACE, "python-0"),
        lease_duration=4,
        renew_deadline=3,
        retry_period=1,
        onstarted_leading=leads.set,
        onstopped_leading=lambda: None,
    )
    threading.Thread(target=leaderelection.LeaderElection(settings).run, daemon=True).start()
    print("elected", leads.wait(timeout=30), flush=True)
    lease = client.CoordinationV1Api().read_namespaced_lease("python", NAMESPACE)
    print("lease", lease.spec.holder_identity, lease.spec.lease_duration_seconds, flush=True)


def main():
    config.load_kube_config()
    api = client.ApiClient()
    core = client.CoreV1Api(api)
    typed(core)
    watched(core)
    recorded(api, core)
    applied(api)
    elected()
    print("done", flush=True)


main()
