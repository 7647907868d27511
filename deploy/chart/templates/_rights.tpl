{{- /* Generated from src/app/commands/run/right-rows.ts by tools/generate-rights.ts. Do not edit. Each define is a list of
rules, or nothing where there are none. */ -}}

{{- define "zonekeeper.rights.controllers" -}}
{{- $given := (.Values.configuration | default dict).controllers | default "all" -}}
{{- $names := list -}}
{{- range (kindIs "slice" $given | ternary $given (splitList "," (toString $given))) -}}
{{- $name := trim (toString .) -}}
{{- if eq $name "all" -}}{{- $names = concat $names (list "compound" "service-dns" "ingress-dns") -}}
{{- else -}}{{- $names = append $names $name -}}{{- end -}}
{{- end -}}
{{- uniq $names | toJson -}}
{{- end -}}

{{- /* Of a ClusterRole that is bound in the whole cluster. */ -}}
{{- define "zonekeeper.clusterRules" -}}
{{- $c := .Values.configuration | default dict -}}
{{- $controllers := include "zonekeeper.rights.controllers" . | fromJsonArray -}}
{{- $source := empty $c.kubeconfig -}}
{{- $target := and $source (empty $c.target) -}}
{{- $provider := and $target (empty $c.providers) -}}
{{- $lease := empty $c.coordination -}}
{{- $writes := not (eq (toString $c.dryRun) "true") -}}
{{- $everywhere := empty $c.namespace -}}
{{- $v0 := list -}}
{{- if and $source (has "compound" $controllers) }}{{ $v0 = concat $v0 (list "get") }}{{ end -}}
{{- if and $target (has "compound" $controllers) }}{{ $v0 = concat $v0 (list "get") }}{{ end -}}
{{- with uniq $v0 }}
- apiGroups: [""]
  resources: ["namespaces"]
  verbs: {{ toJson . }}
{{- end -}}
{{- $v1 := list -}}
{{- if and $source (not (not (empty $c.kubeconfigId))) }}{{ $v1 = concat $v1 (list "get") }}{{ end -}}
{{- if and $target (not (or (empty $c.target) (not (empty $c.targetId)))) }}{{ $v1 = concat $v1 (list "get") }}{{ end -}}
{{- if and $provider (not (or (empty $c.providers) (not (empty $c.providersId)))) }}{{ $v1 = concat $v1 (list "get") }}{{ end -}}
{{- range $verb := $v0 }}{{ $v1 = without $v1 $verb }}{{ end -}}
{{- with uniq $v1 }}
- apiGroups: [""]
  resources: ["namespaces"]
  resourceNames: ["kube-system"]
  verbs: {{ toJson . }}
{{- end -}}
{{- $v2 := list -}}
{{- if and $source $everywhere (has "service-dns" $controllers) }}{{ $v2 = concat $v2 (list "get" "list" "watch") }}{{ end -}}
{{- if and $source $everywhere (has "service-dns" $controllers) (not (eq (toString $c.omitStatusAnnotation) "true")) $writes }}{{ $v2 = concat $v2 (list "patch") }}{{ end -}}
{{- with uniq $v2 }}
- apiGroups: [""]
  resources: ["services"]
  verbs: {{ toJson . }}
{{- end -}}
{{- $v3 := list -}}
{{- if and $source $everywhere (or (has "service-dns" $controllers) (has "ingress-dns" $controllers) (has "dnsentry-source" $controllers) (has "crd" $controllers)) }}{{ $v3 = concat $v3 (list "get" "list" "watch") }}{{ end -}}
{{- if and $target $everywhere (has "crd" $controllers) }}{{ $v3 = concat $v3 (list "get" "list" "watch") }}{{ end -}}
{{- with uniq $v3 }}
- apiGroups: ["dns.gardener.cloud"]
  resources: ["dnsannotations"]
  verbs: {{ toJson . }}
{{- end -}}
{{- $v4 := list -}}
{{- if and $source $everywhere (or (has "service-dns" $controllers) (has "ingress-dns" $controllers) (has "dnsentry-source" $controllers) (has "crd" $controllers)) $writes }}{{ $v4 = concat $v4 (list "create" "patch") }}{{ end -}}
{{- if and $target $everywhere (or (has "crd" $controllers) (has "compound" $controllers)) $writes }}{{ $v4 = concat $v4 (list "create" "patch") }}{{ end -}}
{{- if and $provider $everywhere (has "compound" $controllers) $writes }}{{ $v4 = concat $v4 (list "create" "patch") }}{{ end -}}
{{- with uniq $v4 }}
- apiGroups: [""]
  resources: ["events"]
  verbs: {{ toJson . }}
{{- end -}}
{{- $v5 := list -}}
{{- if and $source $everywhere (or (has "service-dns" $controllers) (has "ingress-dns" $controllers) (has "dnsentry-source" $controllers) (has "crd" $controllers)) $writes }}{{ $v5 = concat $v5 (list "patch") }}{{ end -}}
{{- with uniq $v5 }}
- apiGroups: ["dns.gardener.cloud"]
  resources: ["dnsannotations/status"]
  verbs: {{ toJson . }}
{{- end -}}
{{- $v6 := list -}}
{{- if and $source $everywhere (has "ingress-dns" $controllers) }}{{ $v6 = concat $v6 (list "get" "list" "watch") }}{{ end -}}
{{- if and $source $everywhere (has "ingress-dns" $controllers) (not (eq (toString $c.omitStatusAnnotation) "true")) $writes }}{{ $v6 = concat $v6 (list "patch") }}{{ end -}}
{{- with uniq $v6 }}
- apiGroups: ["networking.k8s.io"]
  resources: ["ingresses"]
  verbs: {{ toJson . }}
{{- end -}}
{{- $v7 := list -}}
{{- if and $source $everywhere (has "dnsentry-source" $controllers) }}{{ $v7 = concat $v7 (list "get" "list" "watch") }}{{ end -}}
{{- if and $target $everywhere (or (has "service-dns" $controllers) (has "ingress-dns" $controllers) (has "dnsentry-source" $controllers)) }}{{ $v7 = concat $v7 (list "get" "list" "watch") }}{{ end -}}
{{- if and $target $everywhere (or (has "service-dns" $controllers) (has "ingress-dns" $controllers) (has "dnsentry-source" $controllers)) $writes }}{{ $v7 = concat $v7 (list "create" "patch" "delete") }}{{ end -}}
{{- if and $target $everywhere (has "compound" $controllers) }}{{ $v7 = concat $v7 (list "get" "list" "watch") }}{{ end -}}
{{- if and $target $everywhere (has "compound" $controllers) $writes }}{{ $v7 = concat $v7 (list "patch") }}{{ end -}}
{{- if and $target $everywhere (has "compound" $controllers) $writes }}{{ $v7 = concat $v7 (list "create") }}{{ end -}}
{{- with uniq $v7 }}
- apiGroups: ["dns.gardener.cloud"]
  resources: ["dnsentries"]
  verbs: {{ toJson . }}
{{- end -}}
{{- $v8 := list -}}
{{- if and $source $everywhere (has "dnsentry-source" $controllers) $writes }}{{ $v8 = concat $v8 (list "patch") }}{{ end -}}
{{- if and $target $everywhere (has "compound" $controllers) $writes }}{{ $v8 = concat $v8 (list "patch") }}{{ end -}}
{{- with uniq $v8 }}
- apiGroups: ["dns.gardener.cloud"]
  resources: ["dnsentries/status"]
  verbs: {{ toJson . }}
{{- end -}}
{{- $v9 := list -}}
{{- if and $source $everywhere (has "crd" $controllers) }}{{ $v9 = concat $v9 (list "get" "list" "watch") }}{{ end -}}
{{- if and $source $everywhere (has "crd" $controllers) $writes }}{{ $v9 = concat $v9 (list "create") }}{{ end -}}
{{- if and $target $everywhere (has "crd" $controllers) }}{{ $v9 = concat $v9 (list "get" "list" "watch") }}{{ end -}}
{{- if and $target $everywhere (has "crd" $controllers) $writes }}{{ $v9 = concat $v9 (list "create") }}{{ end -}}
{{- with uniq $v9 }}
- apiGroups: ["externaldns.k8s.io"]
  resources: ["dnsendpoints"]
  verbs: {{ toJson . }}
{{- end -}}
{{- $v10 := list -}}
{{- if and $source $everywhere (has "crd" $controllers) $writes }}{{ $v10 = concat $v10 (list "patch") }}{{ end -}}
{{- if and $target $everywhere (has "crd" $controllers) $writes }}{{ $v10 = concat $v10 (list "patch") }}{{ end -}}
{{- with uniq $v10 }}
- apiGroups: ["externaldns.k8s.io"]
  resources: ["dnsendpoints/status"]
  verbs: {{ toJson . }}
{{- end -}}
{{- $v11 := list -}}
{{- if and $provider $everywhere (has "compound" $controllers) }}{{ $v11 = concat $v11 (list "get" "list" "watch") }}{{ end -}}
{{- if and $provider $everywhere (has "compound" $controllers) $writes }}{{ $v11 = concat $v11 (list "patch") }}{{ end -}}
{{- with uniq $v11 }}
- apiGroups: ["dns.gardener.cloud"]
  resources: ["dnsproviders"]
  verbs: {{ toJson . }}
{{- end -}}
{{- $v12 := list -}}
{{- if and $target (has "compound" $controllers) }}{{ $v12 = concat $v12 (list "get" "list" "watch") }}{{ end -}}
{{- with uniq $v12 }}
- apiGroups: ["dns.gardener.cloud"]
  resources: ["dnsowners"]
  verbs: {{ toJson . }}
{{- end -}}
{{- $v13 := list -}}
{{- if and $target (has "compound" $controllers) $writes }}{{ $v13 = concat $v13 (list "patch") }}{{ end -}}
{{- with uniq $v13 }}
- apiGroups: ["dns.gardener.cloud"]
  resources: ["dnsowners/status"]
  verbs: {{ toJson . }}
{{- end -}}
{{- $v14 := list -}}
{{- if and $provider $everywhere (has "compound" $controllers) $writes }}{{ $v14 = concat $v14 (list "patch") }}{{ end -}}
{{- with uniq $v14 }}
- apiGroups: ["dns.gardener.cloud"]
  resources: ["dnsproviders/status"]
  verbs: {{ toJson . }}
{{- end -}}
{{- $v15 := list -}}
{{- if and $source (or (has "compound" $controllers) (has "service-dns" $controllers) (has "ingress-dns" $controllers) (has "dnsentry-source" $controllers) (has "crd" $controllers)) (not (or (eq (toString $c.kubeconfigDisableDeployCrds) "true") (and (empty $c.target) (eq (toString $c.targetDisableDeployCrds) "true")) (and (empty (or $c.target $c.providers)) (eq (toString $c.providersDisableDeployCrds) "true")))) (not (eq (toString $c.dryRun) "true")) $writes }}{{ $v15 = concat $v15 (list "create") }}{{ end -}}
{{- with uniq $v15 }}
- apiGroups: ["apiextensions.k8s.io"]
  resources: ["customresourcedefinitions"]
  verbs: {{ toJson . }}
{{- end -}}
{{- $v16 := list -}}
{{- if and $source (or (has "service-dns" $controllers) (has "ingress-dns" $controllers) (has "dnsentry-source" $controllers) (has "crd" $controllers)) (not (or (eq (toString $c.kubeconfigDisableDeployCrds) "true") (and (empty $c.target) (eq (toString $c.targetDisableDeployCrds) "true")) (and (empty (or $c.target $c.providers)) (eq (toString $c.providersDisableDeployCrds) "true")))) (not (eq (toString $c.dryRun) "true")) }}{{ $v16 = concat $v16 (list "get") }}{{ end -}}
{{- if and $source (or (has "service-dns" $controllers) (has "ingress-dns" $controllers) (has "dnsentry-source" $controllers) (has "crd" $controllers)) (not (or (eq (toString $c.kubeconfigDisableDeployCrds) "true") (and (empty $c.target) (eq (toString $c.targetDisableDeployCrds) "true")) (and (empty (or $c.target $c.providers)) (eq (toString $c.providersDisableDeployCrds) "true")))) (not (eq (toString $c.dryRun) "true")) $writes }}{{ $v16 = concat $v16 (list "update") }}{{ end -}}
{{- range $verb := $v15 }}{{ $v16 = without $v16 $verb }}{{ end -}}
{{- with uniq $v16 }}
- apiGroups: ["apiextensions.k8s.io"]
  resources: ["customresourcedefinitions"]
  resourceNames: ["dnsannotations.dns.gardener.cloud"]
  verbs: {{ toJson . }}
{{- end -}}
{{- $v17 := list -}}
{{- if and $source (or (has "dnsentry-source" $controllers) (has "service-dns" $controllers) (has "ingress-dns" $controllers) (has "compound" $controllers)) (not (or (eq (toString $c.kubeconfigDisableDeployCrds) "true") (and (empty $c.target) (eq (toString $c.targetDisableDeployCrds) "true")) (and (empty (or $c.target $c.providers)) (eq (toString $c.providersDisableDeployCrds) "true")))) (not (eq (toString $c.dryRun) "true")) }}{{ $v17 = concat $v17 (list "get") }}{{ end -}}
{{- if and $source (or (has "dnsentry-source" $controllers) (has "service-dns" $controllers) (has "ingress-dns" $controllers) (has "compound" $controllers)) (not (or (eq (toString $c.kubeconfigDisableDeployCrds) "true") (and (empty $c.target) (eq (toString $c.targetDisableDeployCrds) "true")) (and (empty (or $c.target $c.providers)) (eq (toString $c.providersDisableDeployCrds) "true")))) (not (eq (toString $c.dryRun) "true")) $writes }}{{ $v17 = concat $v17 (list "update") }}{{ end -}}
{{- range $verb := $v15 }}{{ $v17 = without $v17 $verb }}{{ end -}}
{{- with uniq $v17 }}
- apiGroups: ["apiextensions.k8s.io"]
  resources: ["customresourcedefinitions"]
  resourceNames: ["dnsentries.dns.gardener.cloud"]
  verbs: {{ toJson . }}
{{- end -}}
{{- $v18 := list -}}
{{- if and $source (has "compound" $controllers) (not (or (eq (toString $c.kubeconfigDisableDeployCrds) "true") (and (empty $c.target) (eq (toString $c.targetDisableDeployCrds) "true")) (and (empty (or $c.target $c.providers)) (eq (toString $c.providersDisableDeployCrds) "true")))) (not (eq (toString $c.dryRun) "true")) }}{{ $v18 = concat $v18 (list "get") }}{{ end -}}
{{- if and $source (has "compound" $controllers) (not (or (eq (toString $c.kubeconfigDisableDeployCrds) "true") (and (empty $c.target) (eq (toString $c.targetDisableDeployCrds) "true")) (and (empty (or $c.target $c.providers)) (eq (toString $c.providersDisableDeployCrds) "true")))) (not (eq (toString $c.dryRun) "true")) $writes }}{{ $v18 = concat $v18 (list "update") }}{{ end -}}
{{- range $verb := $v15 }}{{ $v18 = without $v18 $verb }}{{ end -}}
{{- with uniq $v18 }}
- apiGroups: ["apiextensions.k8s.io"]
  resources: ["customresourcedefinitions"]
  resourceNames: ["dnsowners.dns.gardener.cloud"]
  verbs: {{ toJson . }}
{{- end -}}
{{- $v19 := list -}}
{{- if and $source (has "compound" $controllers) (not (or (eq (toString $c.kubeconfigDisableDeployCrds) "true") (and (empty $c.target) (eq (toString $c.targetDisableDeployCrds) "true")) (and (empty (or $c.target $c.providers)) (eq (toString $c.providersDisableDeployCrds) "true")))) (not (eq (toString $c.dryRun) "true")) }}{{ $v19 = concat $v19 (list "get") }}{{ end -}}
{{- if and $source (has "compound" $controllers) (not (or (eq (toString $c.kubeconfigDisableDeployCrds) "true") (and (empty $c.target) (eq (toString $c.targetDisableDeployCrds) "true")) (and (empty (or $c.target $c.providers)) (eq (toString $c.providersDisableDeployCrds) "true")))) (not (eq (toString $c.dryRun) "true")) $writes }}{{ $v19 = concat $v19 (list "update") }}{{ end -}}
{{- range $verb := $v15 }}{{ $v19 = without $v19 $verb }}{{ end -}}
{{- with uniq $v19 }}
- apiGroups: ["apiextensions.k8s.io"]
  resources: ["customresourcedefinitions"]
  resourceNames: ["dnsproviders.dns.gardener.cloud"]
  verbs: {{ toJson . }}
{{- end -}}
{{- $v20 := list -}}
{{- if and $source (has "crd" $controllers) (not (or (eq (toString $c.kubeconfigDisableDeployCrds) "true") (and (empty $c.target) (eq (toString $c.targetDisableDeployCrds) "true")) (and (empty (or $c.target $c.providers)) (eq (toString $c.providersDisableDeployCrds) "true")))) (not (eq (toString $c.dryRun) "true")) }}{{ $v20 = concat $v20 (list "get") }}{{ end -}}
{{- if and $source (has "crd" $controllers) (not (or (eq (toString $c.kubeconfigDisableDeployCrds) "true") (and (empty $c.target) (eq (toString $c.targetDisableDeployCrds) "true")) (and (empty (or $c.target $c.providers)) (eq (toString $c.providersDisableDeployCrds) "true")))) (not (eq (toString $c.dryRun) "true")) $writes }}{{ $v20 = concat $v20 (list "update") }}{{ end -}}
{{- range $verb := $v15 }}{{ $v20 = without $v20 $verb }}{{ end -}}
{{- with uniq $v20 }}
- apiGroups: ["apiextensions.k8s.io"]
  resources: ["customresourcedefinitions"]
  resourceNames: ["dnsendpoints.externaldns.k8s.io"]
  verbs: {{ toJson . }}
{{- end -}}
{{- end -}}

{{- /* Of a Role in configuration.namespace; empty where that is not set. */ -}}
{{- define "zonekeeper.namespaceRules" -}}
{{- $c := .Values.configuration | default dict -}}
{{- $controllers := include "zonekeeper.rights.controllers" . | fromJsonArray -}}
{{- $source := empty $c.kubeconfig -}}
{{- $target := and $source (empty $c.target) -}}
{{- $provider := and $target (empty $c.providers) -}}
{{- $lease := empty $c.coordination -}}
{{- $writes := not (eq (toString $c.dryRun) "true") -}}
{{- $everywhere := empty $c.namespace -}}
{{- $v0 := list -}}
{{- if and $source (not $everywhere) (has "service-dns" $controllers) }}{{ $v0 = concat $v0 (list "get" "list" "watch") }}{{ end -}}
{{- if and $source (not $everywhere) (has "service-dns" $controllers) (not (eq (toString $c.omitStatusAnnotation) "true")) $writes }}{{ $v0 = concat $v0 (list "patch") }}{{ end -}}
{{- with uniq $v0 }}
- apiGroups: [""]
  resources: ["services"]
  verbs: {{ toJson . }}
{{- end -}}
{{- $v1 := list -}}
{{- if and $source (not $everywhere) (or (has "service-dns" $controllers) (has "ingress-dns" $controllers) (has "dnsentry-source" $controllers) (has "crd" $controllers)) }}{{ $v1 = concat $v1 (list "get" "list" "watch") }}{{ end -}}
{{- if and $target (not $everywhere) (has "crd" $controllers) }}{{ $v1 = concat $v1 (list "get" "list" "watch") }}{{ end -}}
{{- with uniq $v1 }}
- apiGroups: ["dns.gardener.cloud"]
  resources: ["dnsannotations"]
  verbs: {{ toJson . }}
{{- end -}}
{{- $v2 := list -}}
{{- if and $source (not $everywhere) (or (has "service-dns" $controllers) (has "ingress-dns" $controllers) (has "dnsentry-source" $controllers) (has "crd" $controllers)) $writes }}{{ $v2 = concat $v2 (list "create" "patch") }}{{ end -}}
{{- if and $target (not $everywhere) (or (has "crd" $controllers) (has "compound" $controllers)) $writes }}{{ $v2 = concat $v2 (list "create" "patch") }}{{ end -}}
{{- if and $provider (not $everywhere) (has "compound" $controllers) $writes }}{{ $v2 = concat $v2 (list "create" "patch") }}{{ end -}}
{{- with uniq $v2 }}
- apiGroups: [""]
  resources: ["events"]
  verbs: {{ toJson . }}
{{- end -}}
{{- $v3 := list -}}
{{- if and $source (not $everywhere) (or (has "service-dns" $controllers) (has "ingress-dns" $controllers) (has "dnsentry-source" $controllers) (has "crd" $controllers)) $writes }}{{ $v3 = concat $v3 (list "patch") }}{{ end -}}
{{- with uniq $v3 }}
- apiGroups: ["dns.gardener.cloud"]
  resources: ["dnsannotations/status"]
  verbs: {{ toJson . }}
{{- end -}}
{{- $v4 := list -}}
{{- if and $source (not $everywhere) (has "ingress-dns" $controllers) }}{{ $v4 = concat $v4 (list "get" "list" "watch") }}{{ end -}}
{{- if and $source (not $everywhere) (has "ingress-dns" $controllers) (not (eq (toString $c.omitStatusAnnotation) "true")) $writes }}{{ $v4 = concat $v4 (list "patch") }}{{ end -}}
{{- with uniq $v4 }}
- apiGroups: ["networking.k8s.io"]
  resources: ["ingresses"]
  verbs: {{ toJson . }}
{{- end -}}
{{- $v5 := list -}}
{{- if and $source (not $everywhere) (has "dnsentry-source" $controllers) }}{{ $v5 = concat $v5 (list "get" "list" "watch") }}{{ end -}}
{{- if and $target (not $everywhere) (or (has "service-dns" $controllers) (has "ingress-dns" $controllers) (has "dnsentry-source" $controllers)) }}{{ $v5 = concat $v5 (list "get" "list" "watch") }}{{ end -}}
{{- if and $target (not $everywhere) (or (has "service-dns" $controllers) (has "ingress-dns" $controllers) (has "dnsentry-source" $controllers)) $writes }}{{ $v5 = concat $v5 (list "create" "patch" "delete") }}{{ end -}}
{{- if and $target (not $everywhere) (has "compound" $controllers) }}{{ $v5 = concat $v5 (list "get" "list" "watch") }}{{ end -}}
{{- if and $target (not $everywhere) (has "compound" $controllers) $writes }}{{ $v5 = concat $v5 (list "patch") }}{{ end -}}
{{- if and $target (not $everywhere) (has "compound" $controllers) $writes }}{{ $v5 = concat $v5 (list "create") }}{{ end -}}
{{- with uniq $v5 }}
- apiGroups: ["dns.gardener.cloud"]
  resources: ["dnsentries"]
  verbs: {{ toJson . }}
{{- end -}}
{{- $v6 := list -}}
{{- if and $source (not $everywhere) (has "dnsentry-source" $controllers) $writes }}{{ $v6 = concat $v6 (list "patch") }}{{ end -}}
{{- if and $target (not $everywhere) (has "compound" $controllers) $writes }}{{ $v6 = concat $v6 (list "patch") }}{{ end -}}
{{- with uniq $v6 }}
- apiGroups: ["dns.gardener.cloud"]
  resources: ["dnsentries/status"]
  verbs: {{ toJson . }}
{{- end -}}
{{- $v7 := list -}}
{{- if and $source (not $everywhere) (has "crd" $controllers) }}{{ $v7 = concat $v7 (list "get" "list" "watch") }}{{ end -}}
{{- if and $source (not $everywhere) (has "crd" $controllers) $writes }}{{ $v7 = concat $v7 (list "create") }}{{ end -}}
{{- if and $target (not $everywhere) (has "crd" $controllers) }}{{ $v7 = concat $v7 (list "get" "list" "watch") }}{{ end -}}
{{- if and $target (not $everywhere) (has "crd" $controllers) $writes }}{{ $v7 = concat $v7 (list "create") }}{{ end -}}
{{- with uniq $v7 }}
- apiGroups: ["externaldns.k8s.io"]
  resources: ["dnsendpoints"]
  verbs: {{ toJson . }}
{{- end -}}
{{- $v8 := list -}}
{{- if and $source (not $everywhere) (has "crd" $controllers) $writes }}{{ $v8 = concat $v8 (list "patch") }}{{ end -}}
{{- if and $target (not $everywhere) (has "crd" $controllers) $writes }}{{ $v8 = concat $v8 (list "patch") }}{{ end -}}
{{- with uniq $v8 }}
- apiGroups: ["externaldns.k8s.io"]
  resources: ["dnsendpoints/status"]
  verbs: {{ toJson . }}
{{- end -}}
{{- $v9 := list -}}
{{- if and $provider (not $everywhere) (has "compound" $controllers) }}{{ $v9 = concat $v9 (list "get" "list" "watch") }}{{ end -}}
{{- if and $provider (not $everywhere) (has "compound" $controllers) $writes }}{{ $v9 = concat $v9 (list "patch") }}{{ end -}}
{{- with uniq $v9 }}
- apiGroups: ["dns.gardener.cloud"]
  resources: ["dnsproviders"]
  verbs: {{ toJson . }}
{{- end -}}
{{- $v10 := list -}}
{{- if and $provider (not $everywhere) (has "compound" $controllers) $writes }}{{ $v10 = concat $v10 (list "patch") }}{{ end -}}
{{- with uniq $v10 }}
- apiGroups: ["dns.gardener.cloud"]
  resources: ["dnsproviders/status"]
  verbs: {{ toJson . }}
{{- end -}}
{{- end -}}

{{- /* Of a Role in each namespace with DNSProviders, or of a ClusterRole. */ -}}
{{- define "zonekeeper.secretRules" -}}
{{- $c := .Values.configuration | default dict -}}
{{- $controllers := include "zonekeeper.rights.controllers" . | fromJsonArray -}}
{{- $source := empty $c.kubeconfig -}}
{{- $target := and $source (empty $c.target) -}}
{{- $provider := and $target (empty $c.providers) -}}
{{- $lease := empty $c.coordination -}}
{{- $writes := not (eq (toString $c.dryRun) "true") -}}
{{- $everywhere := empty $c.namespace -}}
{{- $v0 := list -}}
{{- if and $provider (has "compound" $controllers) }}{{ $v0 = concat $v0 (list "get" "list" "watch") }}{{ end -}}
{{- if and $provider (has "compound" $controllers) $writes }}{{ $v0 = concat $v0 (list "patch") }}{{ end -}}
{{- with uniq $v0 }}
- apiGroups: [""]
  resources: ["secrets"]
  verbs: {{ toJson . }}
{{- end -}}
{{- end -}}

{{- /* Of a Role in the namespace of the Lease: configuration.leaseNamespace, else that of the release. */ -}}
{{- define "zonekeeper.leaseRules" -}}
{{- $c := .Values.configuration | default dict -}}
{{- $controllers := include "zonekeeper.rights.controllers" . | fromJsonArray -}}
{{- $source := empty $c.kubeconfig -}}
{{- $target := and $source (empty $c.target) -}}
{{- $provider := and $target (empty $c.providers) -}}
{{- $lease := empty $c.coordination -}}
{{- $writes := not (eq (toString $c.dryRun) "true") -}}
{{- $everywhere := empty $c.namespace -}}
{{- $v0 := list -}}
{{- if and $lease (not (eq (toString $c.omitLease) "true")) $writes }}{{ $v0 = concat $v0 (list "create") }}{{ end -}}
{{- with uniq $v0 }}
- apiGroups: ["coordination.k8s.io"]
  resources: ["leases"]
  verbs: {{ toJson . }}
{{- end -}}
{{- $v1 := list -}}
{{- if and $lease (not (eq (toString $c.omitLease) "true")) }}{{ $v1 = concat $v1 (list "get") }}{{ end -}}
{{- if and $lease (not (eq (toString $c.omitLease) "true")) $writes }}{{ $v1 = concat $v1 (list "update") }}{{ end -}}
{{- range $verb := $v0 }}{{ $v1 = without $v1 $verb }}{{ end -}}
{{- with uniq $v1 }}
- apiGroups: ["coordination.k8s.io"]
  resources: ["leases"]
  resourceNames: [{{ $c.leaseName | default "zonekeeper" | toJson }}]
  verbs: {{ toJson . }}
{{- end -}}
{{- $v2 := list -}}
{{- if and $lease (not (eq (toString $c.omitLease) "true")) (not (not (empty $c.data))) }}{{ $v2 = concat $v2 (list "get") }}{{ end -}}
{{- if and $lease (not (eq (toString $c.omitLease) "true")) (not (not (empty $c.data))) $writes }}{{ $v2 = concat $v2 (list "create" "update") }}{{ end -}}
{{- if and $lease (eq (toString $c.registry) "configmap") }}{{ $v2 = concat $v2 (list "get") }}{{ end -}}
{{- if and $lease (eq (toString $c.registry) "configmap") $writes }}{{ $v2 = concat $v2 (list "create" "update") }}{{ end -}}
{{- with uniq $v2 }}
- apiGroups: [""]
  resources: ["configmaps"]
  verbs: {{ toJson . }}
{{- end -}}
{{- end -}}

{{- /* Of a Role in configuration.webhookNamespace. */ -}}
{{- define "zonekeeper.webhookRules" -}}
{{- $c := .Values.configuration | default dict -}}
{{- $controllers := include "zonekeeper.rights.controllers" . | fromJsonArray -}}
{{- $source := empty $c.kubeconfig -}}
{{- $target := and $source (empty $c.target) -}}
{{- $provider := and $target (empty $c.providers) -}}
{{- $lease := empty $c.coordination -}}
{{- $writes := not (eq (toString $c.dryRun) "true") -}}
{{- $everywhere := empty $c.namespace -}}
{{- $v0 := list -}}
{{- if and $target (not (empty $c.webhookAddress)) }}{{ $v0 = concat $v0 (list "get" "list") }}{{ end -}}
{{- if and $target (not (empty $c.webhookAddress)) $writes }}{{ $v0 = concat $v0 (list "create" "update" "delete") }}{{ end -}}
{{- with uniq $v0 }}
- apiGroups: ["externaldns.k8s.io"]
  resources: ["dnsendpoints"]
  verbs: {{ toJson . }}
{{- end -}}
{{- end -}}
