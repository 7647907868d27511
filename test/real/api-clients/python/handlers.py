"""Handlers of kopf: a Service with the label `kopf` is annotated, held by a finalizer and released; a
DNSEntry's status is written. Run as `kopf run handlers.py`."""

import kopf


@kopf.on.startup()
def configure(settings, **_):
    settings.persistence.finalizer = "example.org/kopf"
    settings.posting.enabled = True


@kopf.on.create("v1", "services", labels={"kopf": "yes"})
@kopf.on.update("v1", "services", labels={"kopf": "yes"}, field="spec")
def annotate(spec, patch, body, **_):
    ports = ",".join(str(port["port"]) for port in spec["ports"])
    patch.metadata.annotations["example.org/ports"] = ports
    kopf.event(body, type="Normal", reason="Annotated", message=f"ports {ports}")


@kopf.on.delete("v1", "services", labels={"kopf": "yes"})
def released(name, **_):
    # In one write: lines of the log come from another thread.
    print(f"released {name}\n", end="", flush=True)


@kopf.on.event("dns.gardener.cloud", "v1alpha1", "dnsentries")
def ready(status, patch, type, **_):
    if type != "DELETED" and status.get("state") != "Ready":
        patch.status["state"] = "Ready"
