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
{{- if and $source (or (has "gateway-httproute" $controllers) (has "gateway-grpcroute" $controllers) (has "gateway-tlsroute" $controllers) (has "gateway-tcproute" $controllers) (has "gateway-udproute" $controllers)) }}{{ $v0 = concat $v0 (list "get" "list" "watch") }}{{ end -}}
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
{{- if and $source $everywhere (or (has "service-dns" $controllers) (has "ingress-dns" $controllers) (has "dnsentry-source" $controllers) (has "crd" $controllers) (has "gateway-httproute" $controllers) (has "gateway-grpcroute" $controllers) (has "gateway-tlsroute" $controllers) (has "gateway-tcproute" $controllers) (has "gateway-udproute" $controllers) (has "istio-serviceentry" $controllers)) $writes }}{{ $v4 = concat $v4 (list "create" "patch") }}{{ end -}}
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
{{- if and $source $everywhere (has "gateway-httproute" $controllers) }}{{ $v11 = concat $v11 (list "get" "list" "watch") }}{{ end -}}
{{- with uniq $v11 }}
- apiGroups: ["gateway.networking.k8s.io"]
  resources: ["httproutes"]
  verbs: {{ toJson . }}
{{- end -}}
{{- $v12 := list -}}
{{- if and $source $everywhere (or (has "gateway-httproute" $controllers) (has "gateway-grpcroute" $controllers) (has "gateway-tlsroute" $controllers) (has "gateway-tcproute" $controllers) (has "gateway-udproute" $controllers)) }}{{ $v12 = concat $v12 (list "get" "list" "watch") }}{{ end -}}
{{- with uniq $v12 }}
- apiGroups: ["gateway.networking.k8s.io"]
  resources: ["gateways"]
  verbs: {{ toJson . }}
{{- end -}}
{{- $v13 := list -}}
{{- if and $source $everywhere (or (has "gateway-httproute" $controllers) (has "gateway-grpcroute" $controllers) (has "gateway-tlsroute" $controllers) (has "gateway-tcproute" $controllers) (has "gateway-udproute" $controllers)) }}{{ $v13 = concat $v13 (list "get" "list" "watch") }}{{ end -}}
{{- with uniq $v13 }}
- apiGroups: ["gateway.networking.k8s.io"]
  resources: ["listenersets"]
  verbs: {{ toJson . }}
{{- end -}}
{{- $v14 := list -}}
{{- if and $source $everywhere (has "gateway-grpcroute" $controllers) }}{{ $v14 = concat $v14 (list "get" "list" "watch") }}{{ end -}}
{{- with uniq $v14 }}
- apiGroups: ["gateway.networking.k8s.io"]
  resources: ["grpcroutes"]
  verbs: {{ toJson . }}
{{- end -}}
{{- $v15 := list -}}
{{- if and $source $everywhere (has "gateway-tlsroute" $controllers) }}{{ $v15 = concat $v15 (list "get" "list" "watch") }}{{ end -}}
{{- with uniq $v15 }}
- apiGroups: ["gateway.networking.k8s.io"]
  resources: ["tlsroutes"]
  verbs: {{ toJson . }}
{{- end -}}
{{- $v16 := list -}}
{{- if and $source $everywhere (has "gateway-tcproute" $controllers) }}{{ $v16 = concat $v16 (list "get" "list" "watch") }}{{ end -}}
{{- with uniq $v16 }}
- apiGroups: ["gateway.networking.k8s.io"]
  resources: ["tcproutes"]
  verbs: {{ toJson . }}
{{- end -}}
{{- $v17 := list -}}
{{- if and $source $everywhere (has "gateway-udproute" $controllers) }}{{ $v17 = concat $v17 (list "get" "list" "watch") }}{{ end -}}
{{- with uniq $v17 }}
- apiGroups: ["gateway.networking.k8s.io"]
  resources: ["udproutes"]
  verbs: {{ toJson . }}
{{- end -}}
{{- $v18 := list -}}
{{- if and $source $everywhere (has "istio-serviceentry" $controllers) }}{{ $v18 = concat $v18 (list "get" "list" "watch") }}{{ end -}}
{{- if and $source $everywhere (has "compound" $controllers) (not (empty $c.import)) }}{{ $v18 = concat $v18 (list "get" "list" "watch") }}{{ end -}}
{{- if and $source $everywhere (has "compound" $controllers) (not (empty $c.import)) $writes }}{{ $v18 = concat $v18 (list "create" "patch" "delete") }}{{ end -}}
{{- with uniq $v18 }}
- apiGroups: ["networking.istio.io"]
  resources: ["serviceentries"]
  verbs: {{ toJson . }}
{{- end -}}
{{- $v19 := list -}}
{{- if and $provider $everywhere (has "compound" $controllers) }}{{ $v19 = concat $v19 (list "get" "list" "watch") }}{{ end -}}
{{- if and $provider $everywhere (has "compound" $controllers) $writes }}{{ $v19 = concat $v19 (list "patch") }}{{ end -}}
{{- with uniq $v19 }}
- apiGroups: ["dns.gardener.cloud"]
  resources: ["dnsproviders"]
  verbs: {{ toJson . }}
{{- end -}}
{{- $v20 := list -}}
{{- if and $target (has "compound" $controllers) }}{{ $v20 = concat $v20 (list "get" "list" "watch") }}{{ end -}}
{{- with uniq $v20 }}
- apiGroups: ["dns.gardener.cloud"]
  resources: ["dnsowners"]
  verbs: {{ toJson . }}
{{- end -}}
{{- $v21 := list -}}
{{- if and $target (has "compound" $controllers) $writes }}{{ $v21 = concat $v21 (list "patch") }}{{ end -}}
{{- with uniq $v21 }}
- apiGroups: ["dns.gardener.cloud"]
  resources: ["dnsowners/status"]
  verbs: {{ toJson . }}
{{- end -}}
{{- $v22 := list -}}
{{- if and $provider $everywhere (has "compound" $controllers) $writes }}{{ $v22 = concat $v22 (list "patch") }}{{ end -}}
{{- with uniq $v22 }}
- apiGroups: ["dns.gardener.cloud"]
  resources: ["dnsproviders/status"]
  verbs: {{ toJson . }}
{{- end -}}
{{- $v23 := list -}}
{{- if and $source (eq (toString $c.apiUsers) "true") $writes }}{{ $v23 = concat $v23 (list "create") }}{{ end -}}
{{- with uniq $v23 }}
- apiGroups: ["authentication.k8s.io"]
  resources: ["tokenreviews"]
  verbs: {{ toJson . }}
{{- end -}}
{{- $v24 := list -}}
{{- if and $source (eq (toString $c.apiUsers) "true") $writes }}{{ $v24 = concat $v24 (list "create") }}{{ end -}}
{{- with uniq $v24 }}
- apiGroups: ["authorization.k8s.io"]
  resources: ["subjectaccessreviews"]
  verbs: {{ toJson . }}
{{- end -}}
{{- $v25 := list -}}
{{- if and $source (or (has "compound" $controllers) (has "service-dns" $controllers) (has "ingress-dns" $controllers) (has "dnsentry-source" $controllers) (has "crd" $controllers) (has "gateway-httproute" $controllers) (has "gateway-grpcroute" $controllers) (has "gateway-tlsroute" $controllers) (has "gateway-tcproute" $controllers) (has "gateway-udproute" $controllers) (has "istio-serviceentry" $controllers)) (not (or (eq (toString $c.kubeconfigDisableDeployCrds) "true") (and (empty $c.target) (eq (toString $c.targetDisableDeployCrds) "true")) (and (empty (or $c.target $c.providers)) (eq (toString $c.providersDisableDeployCrds) "true")))) (not (eq (toString $c.dryRun) "true")) $writes }}{{ $v25 = concat $v25 (list "create") }}{{ end -}}
{{- with uniq $v25 }}
- apiGroups: ["apiextensions.k8s.io"]
  resources: ["customresourcedefinitions"]
  verbs: {{ toJson . }}
{{- end -}}
{{- $v26 := list -}}
{{- if and $source (or (has "service-dns" $controllers) (has "ingress-dns" $controllers) (has "dnsentry-source" $controllers) (has "crd" $controllers)) (not (or (eq (toString $c.kubeconfigDisableDeployCrds) "true") (and (empty $c.target) (eq (toString $c.targetDisableDeployCrds) "true")) (and (empty (or $c.target $c.providers)) (eq (toString $c.providersDisableDeployCrds) "true")))) (not (eq (toString $c.dryRun) "true")) }}{{ $v26 = concat $v26 (list "get") }}{{ end -}}
{{- if and $source (or (has "service-dns" $controllers) (has "ingress-dns" $controllers) (has "dnsentry-source" $controllers) (has "crd" $controllers)) (not (or (eq (toString $c.kubeconfigDisableDeployCrds) "true") (and (empty $c.target) (eq (toString $c.targetDisableDeployCrds) "true")) (and (empty (or $c.target $c.providers)) (eq (toString $c.providersDisableDeployCrds) "true")))) (not (eq (toString $c.dryRun) "true")) $writes }}{{ $v26 = concat $v26 (list "update") }}{{ end -}}
{{- range $verb := $v25 }}{{ $v26 = without $v26 $verb }}{{ end -}}
{{- with uniq $v26 }}
- apiGroups: ["apiextensions.k8s.io"]
  resources: ["customresourcedefinitions"]
  resourceNames: ["dnsannotations.dns.gardener.cloud"]
  verbs: {{ toJson . }}
{{- end -}}
{{- $v27 := list -}}
{{- if and $source (or (has "dnsentry-source" $controllers) (has "service-dns" $controllers) (has "ingress-dns" $controllers) (has "compound" $controllers)) (not (or (eq (toString $c.kubeconfigDisableDeployCrds) "true") (and (empty $c.target) (eq (toString $c.targetDisableDeployCrds) "true")) (and (empty (or $c.target $c.providers)) (eq (toString $c.providersDisableDeployCrds) "true")))) (not (eq (toString $c.dryRun) "true")) }}{{ $v27 = concat $v27 (list "get") }}{{ end -}}
{{- if and $source (or (has "dnsentry-source" $controllers) (has "service-dns" $controllers) (has "ingress-dns" $controllers) (has "compound" $controllers)) (not (or (eq (toString $c.kubeconfigDisableDeployCrds) "true") (and (empty $c.target) (eq (toString $c.targetDisableDeployCrds) "true")) (and (empty (or $c.target $c.providers)) (eq (toString $c.providersDisableDeployCrds) "true")))) (not (eq (toString $c.dryRun) "true")) $writes }}{{ $v27 = concat $v27 (list "update") }}{{ end -}}
{{- range $verb := $v25 }}{{ $v27 = without $v27 $verb }}{{ end -}}
{{- with uniq $v27 }}
- apiGroups: ["apiextensions.k8s.io"]
  resources: ["customresourcedefinitions"]
  resourceNames: ["dnsentries.dns.gardener.cloud"]
  verbs: {{ toJson . }}
{{- end -}}
{{- $v28 := list -}}
{{- if and $source (has "compound" $controllers) (not (or (eq (toString $c.kubeconfigDisableDeployCrds) "true") (and (empty $c.target) (eq (toString $c.targetDisableDeployCrds) "true")) (and (empty (or $c.target $c.providers)) (eq (toString $c.providersDisableDeployCrds) "true")))) (not (eq (toString $c.dryRun) "true")) }}{{ $v28 = concat $v28 (list "get") }}{{ end -}}
{{- if and $source (has "compound" $controllers) (not (or (eq (toString $c.kubeconfigDisableDeployCrds) "true") (and (empty $c.target) (eq (toString $c.targetDisableDeployCrds) "true")) (and (empty (or $c.target $c.providers)) (eq (toString $c.providersDisableDeployCrds) "true")))) (not (eq (toString $c.dryRun) "true")) $writes }}{{ $v28 = concat $v28 (list "update") }}{{ end -}}
{{- range $verb := $v25 }}{{ $v28 = without $v28 $verb }}{{ end -}}
{{- with uniq $v28 }}
- apiGroups: ["apiextensions.k8s.io"]
  resources: ["customresourcedefinitions"]
  resourceNames: ["dnsowners.dns.gardener.cloud"]
  verbs: {{ toJson . }}
{{- end -}}
{{- $v29 := list -}}
{{- if and $source (has "compound" $controllers) (not (or (eq (toString $c.kubeconfigDisableDeployCrds) "true") (and (empty $c.target) (eq (toString $c.targetDisableDeployCrds) "true")) (and (empty (or $c.target $c.providers)) (eq (toString $c.providersDisableDeployCrds) "true")))) (not (eq (toString $c.dryRun) "true")) }}{{ $v29 = concat $v29 (list "get") }}{{ end -}}
{{- if and $source (has "compound" $controllers) (not (or (eq (toString $c.kubeconfigDisableDeployCrds) "true") (and (empty $c.target) (eq (toString $c.targetDisableDeployCrds) "true")) (and (empty (or $c.target $c.providers)) (eq (toString $c.providersDisableDeployCrds) "true")))) (not (eq (toString $c.dryRun) "true")) $writes }}{{ $v29 = concat $v29 (list "update") }}{{ end -}}
{{- range $verb := $v25 }}{{ $v29 = without $v29 $verb }}{{ end -}}
{{- with uniq $v29 }}
- apiGroups: ["apiextensions.k8s.io"]
  resources: ["customresourcedefinitions"]
  resourceNames: ["dnsproviders.dns.gardener.cloud"]
  verbs: {{ toJson . }}
{{- end -}}
{{- $v30 := list -}}
{{- if and $source (has "crd" $controllers) (not (or (eq (toString $c.kubeconfigDisableDeployCrds) "true") (and (empty $c.target) (eq (toString $c.targetDisableDeployCrds) "true")) (and (empty (or $c.target $c.providers)) (eq (toString $c.providersDisableDeployCrds) "true")))) (not (eq (toString $c.dryRun) "true")) }}{{ $v30 = concat $v30 (list "get") }}{{ end -}}
{{- if and $source (has "crd" $controllers) (not (or (eq (toString $c.kubeconfigDisableDeployCrds) "true") (and (empty $c.target) (eq (toString $c.targetDisableDeployCrds) "true")) (and (empty (or $c.target $c.providers)) (eq (toString $c.providersDisableDeployCrds) "true")))) (not (eq (toString $c.dryRun) "true")) $writes }}{{ $v30 = concat $v30 (list "update") }}{{ end -}}
{{- range $verb := $v25 }}{{ $v30 = without $v30 $verb }}{{ end -}}
{{- with uniq $v30 }}
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
{{- if and $source (not $everywhere) (or (has "service-dns" $controllers) (has "ingress-dns" $controllers) (has "dnsentry-source" $controllers) (has "crd" $controllers) (has "gateway-httproute" $controllers) (has "gateway-grpcroute" $controllers) (has "gateway-tlsroute" $controllers) (has "gateway-tcproute" $controllers) (has "gateway-udproute" $controllers) (has "istio-serviceentry" $controllers)) $writes }}{{ $v2 = concat $v2 (list "create" "patch") }}{{ end -}}
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
{{- if and $source (not $everywhere) (has "gateway-httproute" $controllers) }}{{ $v9 = concat $v9 (list "get" "list" "watch") }}{{ end -}}
{{- with uniq $v9 }}
- apiGroups: ["gateway.networking.k8s.io"]
  resources: ["httproutes"]
  verbs: {{ toJson . }}
{{- end -}}
{{- $v10 := list -}}
{{- if and $source (not $everywhere) (or (has "gateway-httproute" $controllers) (has "gateway-grpcroute" $controllers) (has "gateway-tlsroute" $controllers) (has "gateway-tcproute" $controllers) (has "gateway-udproute" $controllers)) }}{{ $v10 = concat $v10 (list "get" "list" "watch") }}{{ end -}}
{{- with uniq $v10 }}
- apiGroups: ["gateway.networking.k8s.io"]
  resources: ["gateways"]
  verbs: {{ toJson . }}
{{- end -}}
{{- $v11 := list -}}
{{- if and $source (not $everywhere) (or (has "gateway-httproute" $controllers) (has "gateway-grpcroute" $controllers) (has "gateway-tlsroute" $controllers) (has "gateway-tcproute" $controllers) (has "gateway-udproute" $controllers)) }}{{ $v11 = concat $v11 (list "get" "list" "watch") }}{{ end -}}
{{- with uniq $v11 }}
- apiGroups: ["gateway.networking.k8s.io"]
  resources: ["listenersets"]
  verbs: {{ toJson . }}
{{- end -}}
{{- $v12 := list -}}
{{- if and $source (not $everywhere) (has "gateway-grpcroute" $controllers) }}{{ $v12 = concat $v12 (list "get" "list" "watch") }}{{ end -}}
{{- with uniq $v12 }}
- apiGroups: ["gateway.networking.k8s.io"]
  resources: ["grpcroutes"]
  verbs: {{ toJson . }}
{{- end -}}
{{- $v13 := list -}}
{{- if and $source (not $everywhere) (has "gateway-tlsroute" $controllers) }}{{ $v13 = concat $v13 (list "get" "list" "watch") }}{{ end -}}
{{- with uniq $v13 }}
- apiGroups: ["gateway.networking.k8s.io"]
  resources: ["tlsroutes"]
  verbs: {{ toJson . }}
{{- end -}}
{{- $v14 := list -}}
{{- if and $source (not $everywhere) (has "gateway-tcproute" $controllers) }}{{ $v14 = concat $v14 (list "get" "list" "watch") }}{{ end -}}
{{- with uniq $v14 }}
- apiGroups: ["gateway.networking.k8s.io"]
  resources: ["tcproutes"]
  verbs: {{ toJson . }}
{{- end -}}
{{- $v15 := list -}}
{{- if and $source (not $everywhere) (has "gateway-udproute" $controllers) }}{{ $v15 = concat $v15 (list "get" "list" "watch") }}{{ end -}}
{{- with uniq $v15 }}
- apiGroups: ["gateway.networking.k8s.io"]
  resources: ["udproutes"]
  verbs: {{ toJson . }}
{{- end -}}
{{- $v16 := list -}}
{{- if and $source (not $everywhere) (has "istio-serviceentry" $controllers) }}{{ $v16 = concat $v16 (list "get" "list" "watch") }}{{ end -}}
{{- if and $source (not $everywhere) (has "compound" $controllers) (not (empty $c.import)) }}{{ $v16 = concat $v16 (list "get" "list" "watch") }}{{ end -}}
{{- if and $source (not $everywhere) (has "compound" $controllers) (not (empty $c.import)) $writes }}{{ $v16 = concat $v16 (list "create" "patch" "delete") }}{{ end -}}
{{- with uniq $v16 }}
- apiGroups: ["networking.istio.io"]
  resources: ["serviceentries"]
  verbs: {{ toJson . }}
{{- end -}}
{{- $v17 := list -}}
{{- if and $provider (not $everywhere) (has "compound" $controllers) }}{{ $v17 = concat $v17 (list "get" "list" "watch") }}{{ end -}}
{{- if and $provider (not $everywhere) (has "compound" $controllers) $writes }}{{ $v17 = concat $v17 (list "patch") }}{{ end -}}
{{- with uniq $v17 }}
- apiGroups: ["dns.gardener.cloud"]
  resources: ["dnsproviders"]
  verbs: {{ toJson . }}
{{- end -}}
{{- $v18 := list -}}
{{- if and $provider (not $everywhere) (has "compound" $controllers) $writes }}{{ $v18 = concat $v18 (list "patch") }}{{ end -}}
{{- with uniq $v18 }}
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

{{- /* Of a Role in configuration.clustersNamespace. */ -}}
{{- define "zonekeeper.clustersRules" -}}
{{- $c := .Values.configuration | default dict -}}
{{- $controllers := include "zonekeeper.rights.controllers" . | fromJsonArray -}}
{{- $source := empty $c.kubeconfig -}}
{{- $target := and $source (empty $c.target) -}}
{{- $provider := and $target (empty $c.providers) -}}
{{- $lease := empty $c.coordination -}}
{{- $writes := not (eq (toString $c.dryRun) "true") -}}
{{- $everywhere := empty $c.namespace -}}
{{- $v0 := list -}}
{{- if and $source (not (empty $c.clustersNamespace)) }}{{ $v0 = concat $v0 (list "get" "list" "watch") }}{{ end -}}
{{- with uniq $v0 }}
- apiGroups: [""]
  resources: ["secrets"]
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
