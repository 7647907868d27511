{{/*
Stands in for the file that `npm run generate` makes from the table of rights: the rules of deploy/rbac/clusterrole.yaml.
*/}}
{{- define "zonekeeper.clusterRules" -}}
- apiGroups: [""]
  resources: [namespaces]
  verbs: [get]
{{- if .Values.crds.install }}
- apiGroups: [apiextensions.k8s.io]
  resources: [customresourcedefinitions]
  verbs: [create]
- apiGroups: [apiextensions.k8s.io]
  resources: [customresourcedefinitions]
  resourceNames: [dnsannotations.dns.gardener.cloud, dnsentries.dns.gardener.cloud, dnsowners.dns.gardener.cloud, dnsproviders.dns.gardener.cloud, dnsendpoints.externaldns.k8s.io]
  verbs: [get, update]
{{- end }}
- apiGroups: [""]
  resources: [services]
  verbs: [get, list, watch, patch]
- apiGroups: [networking.k8s.io]
  resources: [ingresses]
  verbs: [get, list, watch, patch]
- apiGroups: [externaldns.k8s.io]
  resources: [dnsendpoints]
  verbs: [get, list, watch, create]
- apiGroups: [externaldns.k8s.io]
  resources: [dnsendpoints/status]
  verbs: [patch]
- apiGroups: [dns.gardener.cloud]
  resources: [dnsentries, dnsproviders]
  verbs: [get, list, watch, create, patch, delete]
- apiGroups: [dns.gardener.cloud]
  resources: [dnsannotations, dnsowners]
  verbs: [get, list, watch]
- apiGroups: [dns.gardener.cloud]
  resources: [dnsannotations/status, dnsentries/status, dnsowners/status, dnsproviders/status]
  verbs: [patch]
- apiGroups: [""]
  resources: [events]
  verbs: [create, patch]
{{- end -}}

{{- define "zonekeeper.secretRules" -}}
- apiGroups: [""]
  resources: [secrets]
  verbs: [get, list, watch, patch]
{{- end -}}

{{- define "zonekeeper.leaseRules" -}}
- apiGroups: [""]
  resources: [configmaps]
  verbs: [get, create, update, delete]
- apiGroups: [coordination.k8s.io]
  resources: [leases]
  verbs: [get, create, update]
{{- end -}}

{{- define "zonekeeper.namespaceRules" -}}
{{- end -}}

{{- define "zonekeeper.webhookRules" -}}
{{- end -}}
