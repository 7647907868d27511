/**
 * Messages of a Pod: k8s.io/api core/v1 `generated.proto`.
 */

/** In the form that `message-table.ts` reads. */
export const POD_MESSAGES = `
v1/Pod = 1 metadata ObjectMeta, 2 spec PodSpec, 3 status PodStatus
PodSpec = 1 volumes [Volume], 2 containers [Container], 3 restartPolicy,
  4 terminationGracePeriodSeconds? int, 5 activeDeadlineSeconds? int, 6 dnsPolicy,
  7 nodeSelector {}, 8 serviceAccountName, 9 serviceAccount, 10 nodeName, 11 hostNetwork bool,
  12 hostPID bool, 13 hostIPC bool, 14 securityContext PodSecurityContext,
  15 imagePullSecrets [LocalObjectReference], 16 hostname, 17 subdomain, 18 affinity Affinity,
  19 schedulerName, 20 initContainers [Container], 21 automountServiceAccountToken? bool,
  22 tolerations [Toleration], 23 hostAliases [HostAlias], 24 priorityClassName, 25 priority? int,
  26 dnsConfig PodDNSConfig, 27 shareProcessNamespace? bool, 28 readinessGates [PodReadinessGate],
  29 runtimeClassName?, 30 enableServiceLinks? bool, 31 preemptionPolicy?, 32 overhead {quantity},
  33 topologySpreadConstraints [TopologySpreadConstraint],
  34 ephemeralContainers [EphemeralContainer], 35 setHostnameAsFQDN? bool, 36 os Named,
  37 hostUsers? bool, 38 schedulingGates [Named], 39 resourceClaims [PodResourceClaim],
  40 resources ResourceRequirements, 41 hostnameOverride?
Volume = 1 name?, 2 ... VolumeSource
VolumeSource = 1 hostPath HostPathVolumeSource, 2 emptyDir EmptyDirVolumeSource,
  3 gcePersistentDisk GCEPersistentDiskVolumeSource,
  4 awsElasticBlockStore AWSElasticBlockStoreVolumeSource, 5 gitRepo GitRepoVolumeSource,
  6 secret SecretVolumeSource, 7 nfs NFSVolumeSource, 8 iscsi ISCSIVolumeSource,
  9 glusterfs GlusterfsVolumeSource, 10 persistentVolumeClaim PersistentVolumeClaimVolumeSource,
  11 rbd RBDVolumeSource, 12 flexVolume FlexVolumeSource, 13 cinder CinderVolumeSource,
  14 cephfs CephFSVolumeSource, 15 flocker FlockerVolumeSource,
  16 downwardAPI DownwardAPIVolumeSource, 17 fc FCVolumeSource,
  18 azureFile AzureFileVolumeSource, 19 configMap ConfigMapVolumeSource,
  20 vsphereVolume VsphereVirtualDiskVolumeSource, 21 quobyte QuobyteVolumeSource,
  22 azureDisk AzureDiskVolumeSource, 23 photonPersistentDisk PhotonPersistentDiskVolumeSource,
  24 portworxVolume PortworxVolumeSource, 25 scaleIO ScaleIOVolumeSource,
  26 projected ProjectedVolumeSource, 27 storageos StorageOSVolumeSource, 28 csi CSIVolumeSource,
  29 ephemeral EphemeralVolumeSource, 30 image ImageVolumeSource
HostPathVolumeSource = 1 path?, 2 type?
EmptyDirVolumeSource = 1 medium, 2 sizeLimit quantity
GCEPersistentDiskVolumeSource = 1 pdName?, 2 fsType, 3 partition int, 4 readOnly bool
AWSElasticBlockStoreVolumeSource = 1 volumeID?, 2 fsType, 3 partition int, 4 readOnly bool
GitRepoVolumeSource = 1 repository?, 2 revision, 3 directory
SecretVolumeSource = 1 secretName, 2 items [KeyToPath], 3 defaultMode? int, 4 optional? bool
KeyToPath = 1 key?, 2 path?, 3 mode? int
NFSVolumeSource = 1 server?, 2 path?, 3 readOnly bool
ISCSIVolumeSource = 1 targetPortal?, 2 iqn?, 3 lun? int, 4 iscsiInterface, 5 fsType,
  6 readOnly bool, 7 portals [], 8 chapAuthDiscovery bool, 10 secretRef LocalObjectReference,
  11 chapAuthSession bool, 12 initiatorName?
GlusterfsVolumeSource = 1 endpoints?, 2 path?, 3 readOnly bool
PersistentVolumeClaimVolumeSource = 1 claimName?, 2 readOnly bool
RBDVolumeSource = 1 monitors [], 2 image?, 3 fsType, 4 pool, 5 user, 6 keyring,
  7 secretRef LocalObjectReference, 8 readOnly bool
FlexVolumeSource = 1 driver?, 2 fsType, 3 secretRef LocalObjectReference, 4 readOnly bool,
  5 options {}
CinderVolumeSource = 1 volumeID?, 2 fsType, 3 readOnly bool, 4 secretRef LocalObjectReference
CephFSVolumeSource = 1 monitors [], 2 path, 3 user, 4 secretFile,
  5 secretRef LocalObjectReference, 6 readOnly bool
FlockerVolumeSource = 1 datasetName, 2 datasetUUID
DownwardAPIVolumeSource = 1 items [DownwardAPIVolumeFile], 2 defaultMode? int
DownwardAPIVolumeFile = 1 path?, 2 fieldRef ObjectFieldSelector,
  3 resourceFieldRef ResourceFieldSelector, 4 mode? int
ObjectFieldSelector = 1 apiVersion, 2 fieldPath?
ResourceFieldSelector = 1 containerName, 2 resource?, 3 divisor quantity
FCVolumeSource = 1 targetWWNs [], 2 lun? int, 3 fsType, 4 readOnly bool, 5 wwids []
AzureFileVolumeSource = 1 secretName?, 2 shareName?, 3 readOnly bool
ConfigMapVolumeSource = 1 ... LocalObjectReference, 2 items [KeyToPath], 3 defaultMode? int,
  4 optional? bool
VsphereVirtualDiskVolumeSource = 1 volumePath?, 2 fsType, 3 storagePolicyName, 4 storagePolicyID
QuobyteVolumeSource = 1 registry?, 2 volume?, 3 readOnly bool, 4 user, 5 group, 6 tenant
AzureDiskVolumeSource = 1 diskName?, 2 diskURI?, 3 cachingMode?, 4 fsType?, 5 readOnly? bool,
  6 kind?
PhotonPersistentDiskVolumeSource = 1 pdID?, 2 fsType
PortworxVolumeSource = 1 volumeID?, 2 fsType, 3 readOnly bool
ScaleIOVolumeSource = 1 gateway?, 2 system?, 3 secretRef LocalObjectReference, 4 sslEnabled bool,
  5 protectionDomain, 6 storagePool, 7 storageMode, 8 volumeName, 9 fsType, 10 readOnly bool
ProjectedVolumeSource = 1 sources [VolumeProjection], 2 defaultMode? int
VolumeProjection = 1 secret ConfigMapProjection, 2 downwardAPI DownwardAPIProjection,
  3 configMap ConfigMapProjection, 4 serviceAccountToken ServiceAccountTokenProjection,
  5 clusterTrustBundle ClusterTrustBundleProjection, 6 podCertificate PodCertificateProjection
ConfigMapProjection = 1 ... LocalObjectReference, 2 items [KeyToPath], 4 optional? bool
DownwardAPIProjection = 1 items [DownwardAPIVolumeFile]
ServiceAccountTokenProjection = 1 audience, 2 expirationSeconds? int, 3 path?
ClusterTrustBundleProjection = 1 name?, 2 signerName?, 3 labelSelector LabelSelector, 4 path?,
  5 optional? bool
PodCertificateProjection = 1 signerName, 2 keyType, 3 maxExpirationSeconds? int,
  4 credentialBundlePath, 5 keyPath, 6 certificateChainPath
StorageOSVolumeSource = 1 volumeName, 2 volumeNamespace, 3 fsType, 4 readOnly bool,
  5 secretRef LocalObjectReference
CSIVolumeSource = 1 driver?, 2 readOnly? bool, 3 fsType?, 4 volumeAttributes {},
  5 nodePublishSecretRef LocalObjectReference
EphemeralVolumeSource = 1 volumeClaimTemplate PersistentVolumeClaimTemplate
PersistentVolumeClaimTemplate = 1 metadata ObjectMeta, 2 spec PersistentVolumeClaimSpec
PersistentVolumeClaimSpec = 1 accessModes [], 2 resources ResourceRequirements, 3 volumeName,
  4 selector LabelSelector, 5 storageClassName?, 6 volumeMode?, 7 dataSource TypedObjectReference,
  8 dataSourceRef TypedObjectReference, 9 volumeAttributesClassName?
ResourceRequirements = 1 limits {quantity}, 2 requests {quantity}, 3 claims [ResourceClaim]
ResourceClaim = 1 name?, 2 request
ImageVolumeSource = 1 reference, 2 pullPolicy
Container = 1 name?, 2 image, 3 command [], 4 args [], 5 workingDir, 6 ports [ContainerPort],
  7 env [EnvVar], 8 resources ResourceRequirements, 9 volumeMounts [VolumeMount],
  10 livenessProbe Probe, 11 readinessProbe Probe, 12 lifecycle Lifecycle,
  13 terminationMessagePath, 14 imagePullPolicy, 15 securityContext SecurityContext,
  16 stdin bool, 17 stdinOnce bool, 18 tty bool, 19 envFrom [EnvFromSource],
  20 terminationMessagePolicy, 21 volumeDevices [VolumeDevice], 22 startupProbe Probe,
  23 resizePolicy [ContainerResizePolicy], 24 restartPolicy?,
  25 restartPolicyRules [ContainerRestartRule]
ContainerPort = 1 name, 2 hostPort int, 3 containerPort? int, 4 protocol, 5 hostIP
EnvVar = 1 name?, 2 value, 3 valueFrom EnvVarSource
EnvVarSource = 1 fieldRef ObjectFieldSelector, 2 resourceFieldRef ResourceFieldSelector,
  3 configMapKeyRef ConfigMapKeySelector, 4 secretKeyRef ConfigMapKeySelector,
  5 fileKeyRef FileKeySelector
ConfigMapKeySelector = 1 ... LocalObjectReference, 2 key?, 3 optional? bool
FileKeySelector = 1 volumeName?, 2 path?, 3 key?, 4 optional? bool
VolumeMount = 1 name?, 2 readOnly bool, 3 mountPath?, 4 subPath, 5 mountPropagation?,
  6 subPathExpr, 7 recursiveReadOnly?
Probe = 1 ... ProbeHandler, 2 initialDelaySeconds int, 3 timeoutSeconds int, 4 periodSeconds int,
  5 successThreshold int, 6 failureThreshold int, 7 terminationGracePeriodSeconds? int
ProbeHandler = 1 exec ExecAction, 2 httpGet HTTPGetAction, 3 tcpSocket TCPSocketAction,
  4 grpc GRPCAction
ExecAction = 1 command []
HTTPGetAction = 1 path, 2 port? int-or-string, 3 host, 4 scheme, 5 httpHeaders [HTTPHeader]
HTTPHeader = 1 name?, 2 value?
TCPSocketAction = 1 port? int-or-string, 2 host
GRPCAction = 1 port? int, 2 service?
Lifecycle = 1 postStart LifecycleHandler, 2 preStop LifecycleHandler, 3 stopSignal?
LifecycleHandler = 1 exec ExecAction, 2 httpGet HTTPGetAction, 3 tcpSocket TCPSocketAction,
  4 sleep SleepAction
SleepAction = 1 seconds? int
SecurityContext = 1 capabilities Capabilities, 2 privileged? bool,
  3 seLinuxOptions SELinuxOptions, 4 runAsUser? int, 5 runAsNonRoot? bool,
  6 readOnlyRootFilesystem? bool, 7 allowPrivilegeEscalation? bool, 8 runAsGroup? int,
  9 procMount?, 10 windowsOptions WindowsSecurityContextOptions, 11 seccompProfile SeccompProfile,
  12 appArmorProfile SeccompProfile
Capabilities = 1 add [], 2 drop []
SELinuxOptions = 1 user, 2 role, 3 type, 4 level
WindowsSecurityContextOptions = 1 gmsaCredentialSpecName?, 2 gmsaCredentialSpec?,
  3 runAsUserName?, 4 hostProcess? bool
SeccompProfile = 1 type?, 2 localhostProfile?
EnvFromSource = 1 prefix, 2 configMapRef ConfigMapEnvSource, 3 secretRef ConfigMapEnvSource
ConfigMapEnvSource = 1 ... LocalObjectReference, 2 optional? bool
VolumeDevice = 1 name?, 2 devicePath?
ContainerResizePolicy = 1 resourceName?, 2 restartPolicy?
ContainerRestartRule = 1 action, 2 exitCodes ContainerRestartRuleOnExitCodes
ContainerRestartRuleOnExitCodes = 1 operator, 2 values [int]
PodSecurityContext = 1 seLinuxOptions SELinuxOptions, 2 runAsUser? int, 3 runAsNonRoot? bool,
  4 supplementalGroups [int], 5 fsGroup? int, 6 runAsGroup? int, 7 sysctls [Sysctl],
  8 windowsOptions WindowsSecurityContextOptions, 9 fsGroupChangePolicy?,
  10 seccompProfile SeccompProfile, 11 appArmorProfile SeccompProfile,
  12 supplementalGroupsPolicy?, 13 seLinuxChangePolicy?
Sysctl = 1 name?, 2 value?
Affinity = 1 nodeAffinity NodeAffinity, 2 podAffinity PodAffinity, 3 podAntiAffinity PodAffinity
NodeAffinity = 1 requiredDuringSchedulingIgnoredDuringExecution NodeSelector,
  2 preferredDuringSchedulingIgnoredDuringExecution [PreferredSchedulingTerm]
NodeSelector = 1 nodeSelectorTerms [NodeSelectorTerm]
NodeSelectorTerm = 1 matchExpressions [LabelSelectorRequirement],
  2 matchFields [LabelSelectorRequirement]
PreferredSchedulingTerm = 1 weight? int, 2 preference NodeSelectorTerm
PodAffinity = 1 requiredDuringSchedulingIgnoredDuringExecution [PodAffinityTerm],
  2 preferredDuringSchedulingIgnoredDuringExecution [WeightedPodAffinityTerm]
PodAffinityTerm = 1 labelSelector LabelSelector, 2 namespaces [], 3 topologyKey?,
  4 namespaceSelector LabelSelector, 5 matchLabelKeys [], 6 mismatchLabelKeys []
WeightedPodAffinityTerm = 1 weight? int, 2 podAffinityTerm PodAffinityTerm
Toleration = 1 key, 2 operator, 3 value, 4 effect, 5 tolerationSeconds? int
HostAlias = 1 ip?, 2 hostnames []
PodDNSConfig = 1 nameservers [], 2 searches [], 3 options [PodDNSConfigOption]
PodDNSConfigOption = 1 name, 2 value?
PodReadinessGate = 1 conditionType?
TopologySpreadConstraint = 1 maxSkew? int, 2 topologyKey?, 3 whenUnsatisfiable?,
  4 labelSelector LabelSelector, 5 minDomains? int, 6 nodeAffinityPolicy?, 7 nodeTaintsPolicy?,
  8 matchLabelKeys []
EphemeralContainer = 1 ... Container, 2 targetContainerName
PodResourceClaim = 1 name?, 3 resourceClaimName?, 4 resourceClaimTemplateName?
PodStatus = 1 phase, 2 conditions [PodCondition], 3 message, 4 reason, 5 hostIP, 6 podIP,
  7 startTime time, 8 containerStatuses [ContainerStatus], 9 qosClass,
  10 initContainerStatuses [ContainerStatus], 11 nominatedNodeName, 12 podIPs [PodIP],
  13 ephemeralContainerStatuses [ContainerStatus], 14 resize,
  15 resourceClaimStatuses [PodResourceClaimStatus], 16 hostIPs [PodIP],
  17 observedGeneration int, 18 extendedResourceClaimStatus PodExtendedResourceClaimStatus
PodCondition = 1 type?, 2 status?, 3 lastProbeTime time, 4 lastTransitionTime time, 5 reason,
  6 message, 7 observedGeneration int
ContainerStatus = 1 name?, 2 state ContainerState, 3 lastState ContainerState, 4 ready? bool,
  5 restartCount? int, 6 image?, 7 imageID?, 8 containerID, 9 started? bool,
  10 allocatedResources {quantity}, 11 resources ResourceRequirements,
  12 volumeMounts [VolumeMountStatus], 13 user ContainerUser,
  14 allocatedResourcesStatus [ResourceStatus], 15 stopSignal?
ContainerState = 1 waiting ContainerStateWaiting, 2 running ContainerStateRunning,
  3 terminated ContainerStateTerminated
ContainerStateWaiting = 1 reason, 2 message
ContainerStateRunning = 1 startedAt time
ContainerStateTerminated = 1 exitCode? int, 2 signal int, 3 reason, 4 message, 5 startedAt time,
  6 finishedAt time, 7 containerID
VolumeMountStatus = 1 name?, 2 mountPath?, 3 readOnly bool, 4 recursiveReadOnly?
ContainerUser = 1 linux LinuxContainerUser
LinuxContainerUser = 1 uid? int, 2 gid? int, 3 supplementalGroups [int]
ResourceStatus = 1 name?, 2 resources [ResourceHealth]
ResourceHealth = 1 resourceID?, 2 health
PodIP = 1 ip?
PodResourceClaimStatus = 1 name?, 2 resourceClaimName?
PodExtendedResourceClaimStatus = 1 requestMappings [ContainerExtendedResourceRequest],
  2 resourceClaimName?
ContainerExtendedResourceRequest = 1 containerName?, 2 resourceName?, 3 requestName?
`;
