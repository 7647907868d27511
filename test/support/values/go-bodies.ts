/**
 * Objects and the bytes that Go clients send for them: written by the protobuf serializer of
 * k8s.io/apimachinery 0.34.1, from these very objects.
 */
import type { JsonObject } from "@zonekeeper/kube/control-plane/json/json";

/** One body. */
export interface GoBody {
  readonly object: JsonObject;
  /** Base64. */
  readonly bytes: string;
}

/** At least one body of each kind whose tables are not trivial. */
export const GO_BODIES: readonly GoBody[] = [
  {
    object: {
      apiVersion: "v1",
      kind: "DeleteOptions",
      gracePeriodSeconds: 0,
      preconditions: { uid: "u-1", resourceVersion: "7" },
      propagationPolicy: "Background",
      dryRun: ["All"],
    },
    bytes: "azhzAAoTCgJ2MRINRGVsZXRlT3B0aW9ucxIdCAASCAoDdS0xEgE3IgpCYWNrZ3JvdW5kKgNBbGwaACIA",
  },
  {
    object: { apiVersion: "coordination.k8s.io/v1", kind: "DeleteOptions", dryRun: ["All"] },
    bytes: "azhzAAonChZjb29yZGluYXRpb24uazhzLmlvL3YxEg1EZWxldGVPcHRpb25zEgUqA0FsbBoAIgA=",
  },
  {
    object: {
      apiVersion: "coordination.k8s.io/v1",
      kind: "Lease",
      metadata: {
        name: "leader",
        namespace: "default",
        labels: { app: "dns" },
        annotations: { note: "" },
        ownerReferences: [
          {
            apiVersion: "v1",
            kind: "Pod",
            name: "a",
            uid: "u-2",
            controller: true,
            blockOwnerDeletion: false,
          },
        ],
        finalizers: ["example.org/held"],
        managedFields: [
          {
            manager: "go",
            operation: "Update",
            apiVersion: "coordination.k8s.io/v1",
            time: "2026-01-02T03:04:05Z",
            fieldsType: "FieldsV1",
            fieldsV1: { "f:spec": { "f:holderIdentity": {} } },
          },
        ],
      },
      spec: {
        holderIdentity: "",
        leaseDurationSeconds: 15,
        acquireTime: "2026-01-02T03:04:05.000000Z",
        renewTime: "2026-01-02T03:04:05.678901Z",
        leaseTransitions: 0,
      },
    },
    bytes:
      "azhzAAofChZjb29yZGluYXRpb24uazhzLmlvL3YxEgVMZWFzZRLiAQq/AQoGbGVhZGVyEgAaB2RlZmF1bHQiACoA" +
      "MgA4AEIAWgoKA2FwcBIDZG5zYggKBG5vdGUSAGoVCgNQb2QaAWEiA3UtMioCdjEwATgAchBleGFtcGxlLm9yZy9o" +
      "ZWxkigFgCgJnbxIGVXBkYXRlGhZjb29yZGluYXRpb24uazhzLmlvL3YxIggIpevcygYQADIIRmllbGRzVjE6JAoi" +
      "eyJmOnNwZWMiOnsiZjpob2xkZXJJZGVudGl0eSI6e319fUIAEh4KABAPGggIpevcygYQACIMCKXr3MoGEIjq3MMC" +
      "KAAaACIA",
  },
  {
    object: {
      apiVersion: "v1",
      kind: "Event",
      metadata: { name: "www.1", namespace: "default" },
      involvedObject: {
        kind: "DNSEntry",
        namespace: "default",
        name: "www",
        uid: "u-1",
        apiVersion: "dns.gardener.cloud/v1alpha1",
        resourceVersion: "7",
        fieldPath: "spec",
      },
      reason: "Done",
      message: "published",
      source: { component: "dns", host: "n1" },
      firstTimestamp: "2026-01-02T03:04:05Z",
      lastTimestamp: "2026-01-02T03:05:05Z",
      count: 3,
      type: "Normal",
      eventTime: "2026-01-02T03:04:05.000001Z",
      series: { count: 2, lastObservedTime: "2026-01-02T03:04:05.000002Z" },
      action: "Publish",
      related: { kind: "Pod", name: "p" },
      reportingComponent: "dns",
      reportingInstance: "dns-1",
    },
    bytes:
      "azhzAAoLCgJ2MRIFRXZlbnQS4AEKHAoFd3d3LjESABoHZGVmYXVsdCIAKgAyADgAQgASQwoIRE5TRW50cnkSB2Rl" +
      "ZmF1bHQaA3d3dyIDdS0xKhtkbnMuZ2FyZGVuZXIuY2xvdWQvdjFhbHBoYTEyATc6BHNwZWMaBERvbmUiCXB1Ymxp" +
      "c2hlZCoJCgNkbnMSAm4xMggIpevcygYQADoICOHr3MoGEABAA0oGTm9ybWFsUgkIpevcygYQ6AdaDQgCEgkIpevc" +
      "ygYQ0A9iB1B1Ymxpc2hqEgoDUG9kEgAaAXAiACoAMgA6AHIDZG5zegVkbnMtMRoAIgA=",
  },
  {
    object: {
      apiVersion: "events.k8s.io/v1",
      kind: "Event",
      metadata: { name: "www.2", namespace: "default" },
      eventTime: "2026-01-02T03:04:05.000001Z",
      series: { count: 2, lastObservedTime: "2026-01-02T03:04:05.000002Z" },
      reportingController: "dns",
      reportingInstance: "dns-1",
      action: "Publish",
      reason: "Done",
      regarding: {
        kind: "DNSEntry",
        namespace: "default",
        name: "www",
        uid: "u-1",
        apiVersion: "dns.gardener.cloud/v1alpha1",
        resourceVersion: "7",
        fieldPath: "spec",
      },
      related: { kind: "Pod", name: "p" },
      note: "published",
      type: "Normal",
      deprecatedSource: { component: "dns" },
      deprecatedFirstTimestamp: "2026-01-02T03:04:05Z",
      deprecatedLastTimestamp: "2026-01-02T03:05:05Z",
      deprecatedCount: 3,
    },
    bytes:
      "azhzAAoZChBldmVudHMuazhzLmlvL3YxEgVFdmVudBLeAQocCgV3d3cuMhIAGgdkZWZhdWx0IgAqADIAOABCABIJ" +
      "CKXr3MoGEOgHGg0IAhIJCKXr3MoGENAPIgNkbnMqBWRucy0xMgdQdWJsaXNoOgREb25lQkMKCEROU0VudHJ5Egdk" +
      "ZWZhdWx0GgN3d3ciA3UtMSobZG5zLmdhcmRlbmVyLmNsb3VkL3YxYWxwaGExMgE3OgRzcGVjShIKA1BvZBIAGgFw" +
      "IgAqADIAOgBSCXB1Ymxpc2hlZFoGTm9ybWFsYgcKA2RucxIAaggIpevcygYQAHIICOHr3MoGEAB4AxoAIgA=",
  },
  {
    object: {
      apiVersion: "discovery.k8s.io/v1",
      kind: "EndpointSlice",
      metadata: { name: "web-1", namespace: "default" },
      addressType: "IPv4",
      endpoints: [
        {
          addresses: ["192.0.2.1", "192.0.2.2"],
          conditions: { ready: true, serving: true, terminating: false },
          hostname: "a",
          targetRef: { kind: "Pod", name: "p" },
          nodeName: "n1",
          zone: "z",
          hints: { forZones: [{ name: "z" }] },
        },
      ],
      ports: [{ name: "", protocol: "TCP", port: 443, appProtocol: "https" }],
    },
    bytes:
      "azhzAAokChNkaXNjb3ZlcnkuazhzLmlvL3YxEg1FbmRwb2ludFNsaWNlEnwKHAoFd2ViLTESABoHZGVmYXVsdCIA" +
      "KgAyADgAQgASQwoJMTkyLjAuMi4xCgkxOTIuMC4yLjISBggBEAEYABoBYSISCgNQb2QSABoBcCIAKgAyADoAMgJu" +
      "MToBekIFCgMKAXoaEQoAEgNUQ1AYuwMiBWh0dHBzIgRJUHY0GgAiAA==",
  },
  {
    object: {
      apiVersion: "v1",
      kind: "Endpoints",
      metadata: { name: "web", namespace: "default" },
      subsets: [
        {
          addresses: [
            {
              ip: "192.0.2.1",
              hostname: "a",
              nodeName: "n1",
              targetRef: { kind: "Pod", name: "p" },
            },
          ],
          notReadyAddresses: [{ ip: "192.0.2.2" }],
          ports: [{ name: "https", port: 443, protocol: "TCP", appProtocol: "https" }],
        },
      ],
    },
    bytes:
      "azhzAAoPCgJ2MRIJRW5kcG9pbnRzEm0KGgoDd2ViEgAaB2RlZmF1bHQiACoAMgA4AEIAEk8KJgoJMTkyLjAuMi4x" +
      "EhIKA1BvZBIAGgFwIgAqADIAOgAaAWEiAm4xEg0KCTE5Mi4wLjIuMhoAGhYKBWh0dHBzELsDGgNUQ1AiBWh0dHBz" +
      "GgAiAA==",
  },
  {
    object: {
      apiVersion: "v1",
      kind: "Pod",
      metadata: { name: "p", namespace: "default" },
      spec: {
        volumes: [
          {
            name: "v",
            configMap: { name: "c", items: [{ key: "k", path: "f", mode: 420 }], optional: true },
          },
          { name: "e", emptyDir: { sizeLimit: "1Gi" } },
        ],
        containers: [
          {
            name: "c",
            image: "nginx",
            args: ["-v"],
            ports: [{ containerPort: 80, protocol: "TCP" }],
            env: [{ name: "A", valueFrom: { fieldRef: { fieldPath: "status.podIP" } } }],
            resources: { limits: { cpu: "500m" }, requests: { memory: "64Mi" } },
            volumeMounts: [{ name: "v", mountPath: "/v", readOnly: true }],
            readinessProbe: { httpGet: { path: "/ready", port: "http" }, periodSeconds: 5 },
            securityContext: { runAsUser: 0, privileged: false },
          },
        ],
        restartPolicy: "Never",
        terminationGracePeriodSeconds: 0,
        nodeSelector: { os: "linux" },
        affinity: {
          podAntiAffinity: {
            requiredDuringSchedulingIgnoredDuringExecution: [
              {
                labelSelector: { matchExpressions: [{ key: "a", operator: "In", values: ["b"] }] },
                topologyKey: "zone",
              },
            ],
          },
        },
        tolerations: [{ key: "k", operator: "Exists", tolerationSeconds: 0 }],
        hostAliases: [{ ip: "192.0.2.9", hostnames: ["h"] }],
        overhead: { cpu: "10m" },
      },
      status: {
        phase: "Running",
        conditions: [{ type: "Ready", status: "True", lastTransitionTime: "2026-01-02T03:04:05Z" }],
        podIP: "10.0.0.1",
        podIPs: [{ ip: "10.0.0.1" }],
        startTime: "2026-01-02T03:04:05Z",
        containerStatuses: [
          {
            name: "c",
            state: { running: { startedAt: "2026-01-02T03:04:05Z" } },
            lastState: {},
            ready: true,
            restartCount: 0,
            image: "nginx",
            imageID: "",
          },
        ],
      },
    },
    bytes:
      "azhzAAoJCgJ2MRIDUG9kEvYDChgKAXASABoHZGVmYXVsdCIAKgAyADgAQgAS2gIKGgoBdhIVmgESCgMKAWMSCQoB" +
      "axIBZhikAyABChAKAWUSCxIJCgASBQoDMUdpEqoBCgFjEgVuZ2lueCICLXYqADINCgAQABhQIgNUQ1AqADoZCgFB" +
      "EgAaEgoQCgASDHN0YXR1cy5wb2RJUEIhCg0KA2NwdRIGCgQ1MDBtEhAKBm1lbW9yeRIGCgQ2NE1pSg0KAXYQARoC" +
      "L3YiADIAWiYKGhIYCgYvcmVhZHkSCggBEAAaBGh0dHAaACIAEAAYACAFKAAwAGoAcgB6BBAAIACAAQCIAQCQAQCi" +
      "AQAaBU5ldmVyIAAyADoLCgJvcxIFbGludXhCAEoAUgBYAGAAaACCAQCKAQCSARgaFgoUCgwSCgoBYRICSW4aAWIa" +
      "BHpvbmWaAQCyAREKAWsSBkV4aXN0cxoAIgAoALoBDgoJMTkyLjAuMi45EgFowgEAggIMCgNjcHUSBQoDMTBtGn0K" +
      "B1J1bm5pbmcSHwoFUmVhZHkSBFRydWUaACIICKXr3MoGEAAqADIAOAAaACIAKgAyCDEwLjAuMC4xOggIpevcygYQ" +
      "AEIiCgFjEgwSCgoICKXr3MoGEAAaACABKAAyBW5naW54OgBCAEoAWgBiCgoIMTAuMC4wLjFyAIgBABoAIgA=",
  },
  {
    object: {
      apiVersion: "v1",
      kind: "Node",
      metadata: { name: "n1" },
      spec: {
        podCIDR: "10.0.0.0/24",
        podCIDRs: ["10.0.0.0/24"],
        providerID: "x://1",
        unschedulable: true,
        taints: [{ key: "k", effect: "NoSchedule" }],
      },
      status: {
        capacity: { cpu: "4" },
        allocatable: { cpu: "3900m" },
        conditions: [
          {
            type: "Ready",
            status: "True",
            lastHeartbeatTime: "2026-01-02T03:04:05Z",
            lastTransitionTime: "2026-01-02T03:04:05Z",
            reason: "KubeletReady",
          },
        ],
        addresses: [{ type: "InternalIP", address: "192.0.2.1" }],
        daemonEndpoints: { kubeletEndpoint: { Port: 10250 } },
        nodeInfo: {
          machineID: "m",
          systemUUID: "",
          bootID: "",
          kernelVersion: "6.1",
          osImage: "",
          containerRuntimeVersion: "",
          kubeletVersion: "v1.34.1",
          kubeProxyVersion: "",
          operatingSystem: "linux",
          architecture: "amd64",
        },
        images: [{ names: ["nginx"], sizeBytes: 5000000000 }],
      },
    },
    bytes:
      "azhzAAoKCgJ2MRIETm9kZRL8AQoSCgJuMRIAGgAiACoAMgA4AEIAEjgKCzEwLjAuMC4wLzI0EgAaBXg6Ly8xIAEq" +
      "EQoBaxIAGgpOb1NjaGVkdWxlOgsxMC4wLjAuMC8yNBqrAQoKCgNjcHUSAwoBNBIOCgNjcHUSBwoFMzkwMG0aACIx" +
      "CgVSZWFkeRIEVHJ1ZRoICKXr3MoGEAAiCAil69zKBhAAKgxLdWJlbGV0UmVhZHkyACoXCgpJbnRlcm5hbElQEgkx" +
      "OTIuMC4yLjEyBQoDCIpQOikKAW0SABoAIgM2LjEqADIAOgd2MS4zNC4xQgBKBWxpbnV4UgVhbWQ2NEINCgVuZ2lu" +
      "eBCA5JfQEhoAIgA=",
  },
  {
    object: {
      apiVersion: "apiextensions.k8s.io/v1",
      kind: "CustomResourceDefinition",
      metadata: { name: "things.example.org" },
      spec: {
        group: "example.org",
        names: {
          plural: "things",
          singular: "thing",
          shortNames: ["th"],
          kind: "Thing",
          listKind: "ThingList",
        },
        scope: "Namespaced",
        versions: [
          {
            name: "v1",
            served: true,
            storage: true,
            schema: {
              openAPIV3Schema: {
                type: "object",
                properties: {
                  spec: {
                    type: "object",
                    required: ["size"],
                    properties: {
                      size: { type: "number", minimum: -0.5, maximum: 10, default: 0 },
                      tags: {
                        type: "array",
                        items: { type: "string" },
                        maxItems: 0,
                        "x-kubernetes-list-type": "set",
                      },
                      mode: { type: "string", enum: ["a", "b"], default: "a" },
                      labels: { type: "object", additionalProperties: { type: "string" } },
                      port: {
                        "x-kubernetes-int-or-string": true,
                        anyOf: [{ type: "integer" }, { type: "string" }],
                      },
                    },
                    "x-kubernetes-validations": [{ rule: "self.size != 5.0", message: "not five" }],
                  },
                  open: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
                  status: { type: "object" },
                },
              },
            },
            subresources: { status: {} },
            additionalPrinterColumns: [{ name: "Size", type: "number", jsonPath: ".spec.size" }],
            selectableFields: [{ jsonPath: ".spec.mode" }],
          },
        ],
        conversion: { strategy: "None" },
      },
      status: { acceptedNames: { plural: "", kind: "" } },
    },
    bytes:
      "azhzAAozChdhcGlleHRlbnNpb25zLms4cy5pby92MRIYQ3VzdG9tUmVzb3VyY2VEZWZpbml0aW9uEuYGCiIKEnRo" +
      "aW5ncy5leGFtcGxlLm9yZxIAGgAiACoAMgA4AEIAErMGCgtleGFtcGxlLm9yZxolCgZ0aGluZ3MSBXRoaW5nGgJ0" +
      "aCIFVGhpbmcqCVRoaW5nTGlzdCIKTmFtZXNwYWNlZDrmBQoCdjEQARgBIqUFCqIFCgASACIAKgZvYmplY3QyADoA" +
      "UABgAHoAkAEA6gEvCgRvcGVuEicKABIAIgAqBm9iamVjdDIAOgBQAGAAegCQAQCoAgCwAgG4AgDAAgDqAZcECgRz" +
      "cGVjEo4ECgASACIAKgZvYmplY3QyADoAUABgAHoAkAEAugEEc2l6ZeoBWQoGbGFiZWxzEk8KABIAIgAqBm9iamVj" +
      "dDIAOgBQAGAAegCQAQDyASgIARIkCgASACIAKgZzdHJpbmcyADoAUABgAHoAkAEAqAIAuAIAwAIAqAIAuAIAwAIA" +
      "6gFDCgRtb2RlEjsKABIAIgAqBnN0cmluZzIAOgBCBQoDImEiUABgAHoAkAEAogEFCgMiYSKiAQUKAyJiIqgCALgC" +
      "AMACAOoBdQoEcG9ydBJtCgASACIAKgAyADoAUABgAHoAkAEA2gElCgASACIAKgdpbnRlZ2VyMgA6AFAAYAB6AJAB" +
      "AKgCALgCAMACANoBJAoAEgAiACoGc3RyaW5nMgA6AFAAYAB6AJABAKgCALgCAMACAKgCALgCAMACAeoBQwoEc2l6" +
      "ZRI7CgASACIAKgZudW1iZXIyADoAQgMKATBJAAAAAAAAJEBQAFkAAAAAAADgv2AAegCQAQCoAgC4AgDAAgDqAV0K" +
      "BHRhZ3MSVQoAEgAiACoFYXJyYXkyADoAUABgAHoAgAEAkAEAwgEmCiQKABIAIgAqBnN0cmluZzIAOgBQAGAAegCQ" +
      "AQCoAgC4AgDAAgCoAgC4AgDAAgDSAgNzZXSoAgC4AgDAAgDiAiAKEHNlbGYuc2l6ZSAhPSA1LjASCG5vdCBmaXZl" +
      "GgAqAOoBLgoGc3RhdHVzEiQKABIAIgAqBm9iamVjdDIAOgBQAGAAegCQAQCoAgC4AgDAAgCoAgC4AgDAAgAqAgoA" +
      "MiAKBFNpemUSBm51bWJlchoAIgAoADIKLnNwZWMuc2l6ZTgASgwKCi5zcGVjLm1vZGVKBgoETm9uZVAAGgoSCAoA" +
      "EgAiACoAGgAiAA==",
  },
  {
    object: {
      apiVersion: "v1",
      kind: "Service",
      metadata: { name: "web", namespace: "default" },
      spec: {
        ports: [{ protocol: "TCP", port: 80, targetPort: 0 }],
        type: "LoadBalancer",
        allocateLoadBalancerNodePorts: false,
      },
      status: {
        loadBalancer: { ingress: [{ ip: "192.0.2.1", ports: [{ port: 80, protocol: "TCP" }] }] },
        conditions: [
          {
            type: "Ready",
            status: "True",
            lastTransitionTime: "2026-01-02T03:04:05Z",
            reason: "",
            message: "",
          },
        ],
      },
    },
    bytes:
      "azhzAAoNCgJ2MRIHU2VydmljZRKNAQoaCgN3ZWISABoHZGVmYXVsdCIAKgAyADgAQgASNAoTCgASA1RDUBhQIgYI" +
      "ABAAGgAoABoAIgxMb2FkQmFsYW5jZXI6AEIAUgBaAGAAaACgAQAaOQoYChYKCTE5Mi4wLjIuMRIAIgcIUBIDVENQ" +
      "Eh0KBVJlYWR5EgRUcnVlGAAiCAil69zKBhAAKgAyABoAIgA=",
  },
  {
    object: {
      apiVersion: "networking.k8s.io/v1",
      kind: "Ingress",
      metadata: { name: "web", namespace: "default" },
      spec: {
        rules: [
          {
            host: "www.example.org",
            http: {
              paths: [
                {
                  path: "/",
                  pathType: "Prefix",
                  backend: { service: { name: "web", port: { number: 80 } } },
                },
              ],
            },
          },
        ],
      },
      status: { loadBalancer: { ingress: [{ hostname: "lb.example.net" }] } },
    },
    bytes:
      "azhzAAofChRuZXR3b3JraW5nLms4cy5pby92MRIHSW5ncmVzcxJpChoKA3dlYhIAGgdkZWZhdWx0IgAqADIAOABC" +
      "ABIzGjEKD3d3dy5leGFtcGxlLm9yZxIeChwKGgoBLxINIgsKA3dlYhIECgAQUBoGUHJlZml4GhYKFAoSCgASDmxi" +
      "LmV4YW1wbGUubmV0GgAiAA==",
  },
];
