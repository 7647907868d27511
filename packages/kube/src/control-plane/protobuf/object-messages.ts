/**
 * Messages of metadata and of the built-in kinds other than Pod: `generated.proto` of k8s.io/api
 * core/v1, networking/v1, discovery/v1, coordination/v1, events/v1, authorization/v1,
 * authentication/v1 and k8s.io/apimachinery meta/v1.
 */

/** In the form that `message-table.ts` reads. */
export const OBJECT_MESSAGES = `
TypeMeta = 1 apiVersion, 2 kind
ObjectMeta = 1 name, 2 generateName, 3 namespace, 5 uid, 6 resourceVersion,
  7 generation int, 8 creationTimestamp time, 9 deletionTimestamp time,
  10 deletionGracePeriodSeconds? int, 11 labels {}, 12 annotations {},
  13 ownerReferences [OwnerReference], 14 finalizers [], 17 managedFields [ManagedFieldsEntry]
OwnerReference = 1 kind?, 3 name?, 4 uid?, 5 apiVersion?, 6 controller? bool,
  7 blockOwnerDeletion? bool
ManagedFieldsEntry = 1 manager, 2 operation, 3 apiVersion, 4 time time, 6 fieldsType,
  7 fieldsV1 json, 8 subresource
DeleteOptions = 1 gracePeriodSeconds? int, 2 preconditions Preconditions,
  3 orphanDependents? bool, 4 propagationPolicy?, 5 dryRun [],
  6 ignoreStoreReadErrorWithClusterBreakingPotential? bool
Preconditions = 1 uid?, 2 resourceVersion?
LocalObjectReference = 1 name
ObjectReference = 1 kind, 2 namespace, 3 name, 4 uid, 5 apiVersion, 6 resourceVersion, 7 fieldPath
LabelSelector = 1 matchLabels {}, 2 matchExpressions [LabelSelectorRequirement]
LabelSelectorRequirement = 1 key?, 2 operator?, 3 values []
TypedObjectReference = 1 apiGroup?, 2 kind?, 3 name?, 4 namespace?
Condition = 1 type?, 2 status?, 3 observedGeneration int, 4 lastTransitionTime time, 5 reason?,
  6 message?
v1/ConfigMap = 1 metadata ObjectMeta, 2 data {}, 3 binaryData {byte}, 4 immutable? bool
v1/Endpoints = 1 metadata ObjectMeta, 2 subsets [EndpointSubset]
EndpointSubset = 1 addresses [EndpointAddress], 2 notReadyAddresses [EndpointAddress],
  3 ports [EndpointPort]
EndpointAddress = 1 ip?, 2 targetRef ObjectReference, 3 hostname, 4 nodeName?
EndpointPort = 1 name, 2 port? int, 3 protocol, 4 appProtocol?
v1/Event = 1 metadata ObjectMeta, 2 involvedObject ObjectReference, 3 reason, 4 message,
  5 source EventSource, 6 firstTimestamp time, 7 lastTimestamp time, 8 count int, 9 type,
  10 eventTime micro-time, 11 series EventSeries, 12 action, 13 related ObjectReference,
  14 reportingComponent?, 15 reportingInstance?
EventSource = 1 component, 2 host
EventSeries = 1 count int, 2 lastObservedTime micro-time
v1/Namespace = 1 metadata ObjectMeta, 2 spec NamespaceSpec, 3 status NamespaceStatus
NamespaceSpec = 1 finalizers []
NamespaceStatus = 1 phase, 2 conditions [NamespaceCondition]
NamespaceCondition = 1 type?, 2 status?, 4 lastTransitionTime time, 5 reason, 6 message
v1/Node = 1 metadata ObjectMeta, 2 spec NodeSpec, 3 status NodeStatus
NodeSpec = 1 podCIDR, 2 externalID, 3 providerID, 4 unschedulable bool, 5 taints [Taint],
  6 configSource NodeConfigSource, 7 podCIDRs []
Taint = 1 key?, 2 value, 3 effect?, 4 timeAdded time
NodeConfigSource = 2 configMap ConfigMapNodeConfigSource
ConfigMapNodeConfigSource = 1 namespace?, 2 name?, 3 uid, 4 resourceVersion, 5 kubeletConfigKey?
NodeStatus = 1 capacity {quantity}, 2 allocatable {quantity}, 3 phase,
  4 conditions [NodeCondition], 5 addresses [NodeAddress], 6 daemonEndpoints NodeDaemonEndpoints,
  7 nodeInfo NodeSystemInfo, 8 images [ContainerImage], 9 volumesInUse [],
  10 volumesAttached [AttachedVolume], 11 config NodeConfigStatus,
  12 runtimeHandlers [NodeRuntimeHandler], 13 features NodeFeatures
NodeCondition = 1 type?, 2 status?, 3 lastHeartbeatTime time, 4 lastTransitionTime time, 5 reason,
  6 message
NodeAddress = 1 type?, 2 address?
NodeDaemonEndpoints = 1 kubeletEndpoint DaemonEndpoint
DaemonEndpoint = 1 Port? int
NodeSystemInfo = 1 machineID?, 2 systemUUID?, 3 bootID?, 4 kernelVersion?, 5 osImage?,
  6 containerRuntimeVersion?, 7 kubeletVersion?, 8 kubeProxyVersion?, 9 operatingSystem?,
  10 architecture?, 11 swap NodeSwapStatus
NodeSwapStatus = 1 capacity? int
ContainerImage = 1 names [], 2 sizeBytes int
AttachedVolume = 1 name?, 2 devicePath?
NodeConfigStatus = 1 assigned NodeConfigSource, 2 active NodeConfigSource,
  3 lastKnownGood NodeConfigSource, 4 error
NodeRuntimeHandler = 1 name?, 2 features NodeRuntimeHandlerFeatures
NodeRuntimeHandlerFeatures = 1 recursiveReadOnlyMounts? bool, 2 userNamespaces? bool
NodeFeatures = 1 supplementalGroupsPolicy? bool
v1/Secret = 1 metadata ObjectMeta, 2 data {byte}, 3 type, 4 stringData {}, 5 immutable? bool
v1/Service = 1 metadata ObjectMeta, 2 spec ServiceSpec, 3 status ServiceStatus
ServiceSpec = 1 ports [ServicePort], 2 selector {}, 3 clusterIP, 4 type, 5 externalIPs [],
  7 sessionAffinity, 8 loadBalancerIP, 9 loadBalancerSourceRanges [], 10 externalName,
  11 externalTrafficPolicy, 12 healthCheckNodePort int, 13 publishNotReadyAddresses bool,
  14 sessionAffinityConfig SessionAffinityConfig, 17 ipFamilyPolicy?, 18 clusterIPs [],
  19 ipFamilies [], 20 allocateLoadBalancerNodePorts? bool, 21 loadBalancerClass?,
  22 internalTrafficPolicy?, 23 trafficDistribution?
ServicePort = 1 name, 2 protocol, 3 port? int, 4 targetPort? int-or-string, 5 nodePort int,
  6 appProtocol?
SessionAffinityConfig = 1 clientIP ClientIPConfig
ClientIPConfig = 1 timeoutSeconds? int
ServiceStatus = 1 loadBalancer LoadBalancerStatus, 2 conditions [Condition]
LoadBalancerStatus = 1 ingress [LoadBalancerIngress]
LoadBalancerIngress = 1 ip, 2 hostname, 3 ipMode?, 4 ports [PortStatus]
PortStatus = 1 port? int, 2 protocol?, 3 error?
events.k8s.io/v1/Event = 1 metadata ObjectMeta, 2 eventTime micro-time, 3 series EventSeries,
  4 reportingController, 5 reportingInstance, 6 action, 7 reason, 8 regarding ObjectReference,
  9 related ObjectReference, 10 note, 11 type, 12 deprecatedSource EventSource,
  13 deprecatedFirstTimestamp time, 14 deprecatedLastTimestamp time, 15 deprecatedCount int
coordination.k8s.io/v1/Lease = 1 metadata ObjectMeta, 2 spec LeaseSpec
LeaseSpec = 1 holderIdentity?, 2 leaseDurationSeconds? int, 3 acquireTime micro-time,
  4 renewTime micro-time, 5 leaseTransitions? int, 6 strategy?, 7 preferredHolder?
discovery.k8s.io/v1/EndpointSlice = 1 metadata ObjectMeta, 2 endpoints [Endpoint],
  3 ports [SlicePort], 4 addressType?
Endpoint = 1 addresses [], 2 conditions EndpointConditions, 3 hostname?,
  4 targetRef ObjectReference, 5 deprecatedTopology {}, 6 nodeName?, 7 zone?,
  8 hints EndpointHints
EndpointConditions = 1 ready? bool, 2 serving? bool, 3 terminating? bool
EndpointHints = 1 forZones [Named], 2 forNodes [Named]
Named = 1 name?
SlicePort = 1 name?, 2 protocol?, 3 port? int, 4 appProtocol?
networking.k8s.io/v1/Ingress = 1 metadata ObjectMeta, 2 spec IngressSpec, 3 status ServiceStatus
IngressSpec = 1 defaultBackend IngressBackend, 2 tls [IngressTLS], 3 rules [IngressRule],
  4 ingressClassName?
IngressBackend = 3 resource TypedObjectReference, 4 service IngressServiceBackend
IngressServiceBackend = 1 name?, 2 port ServiceBackendPort
ServiceBackendPort = 1 name, 2 number int
IngressTLS = 1 hosts [], 2 secretName
IngressRule = 1 host, 2 ... IngressRuleValue
IngressRuleValue = 1 http HTTPIngressRuleValue
HTTPIngressRuleValue = 1 paths [HTTPIngressPath]
HTTPIngressPath = 1 path, 2 backend IngressBackend, 3 pathType?
networking.k8s.io/v1/IngressClass = 1 metadata ObjectMeta, 2 spec IngressClassSpec
IngressClassSpec = 1 controller, 2 parameters IngressClassParametersReference
IngressClassParametersReference = 1 apiGroup?, 2 kind?, 3 name?, 4 scope?, 5 namespace?
authorization.k8s.io/v1/SelfSubjectAccessReview = 1 metadata ObjectMeta,
  2 spec SelfSubjectAccessReviewSpec
SelfSubjectAccessReviewSpec = 1 resourceAttributes ResourceAttributes,
  2 nonResourceAttributes NonResourceAttributes
ResourceAttributes = 1 namespace, 2 verb, 3 group, 4 version, 5 resource, 6 subresource, 7 name,
  8 fieldSelector SelectorAttributes, 9 labelSelector SelectorAttributes
SelectorAttributes = 1 rawSelector, 2 requirements [LabelSelectorRequirement]
NonResourceAttributes = 1 path, 2 verb
authorization.k8s.io/v1/SelfSubjectRulesReview = 1 metadata ObjectMeta,
  2 spec SelfSubjectRulesReviewSpec
SelfSubjectRulesReviewSpec = 1 namespace
authentication.k8s.io/v1/SelfSubjectReview = 1 metadata ObjectMeta
`;
