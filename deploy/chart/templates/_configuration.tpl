{{/*
The options of `run` as this installation has them, by keys of ours: what the values say under whatever spelling, and what
the chart says itself. JSON.
*/}}
{{- define "zonekeeper.configuration" -}}
{{- $keys := (.Files.Get "files/known-values.json" | fromJson).configuration -}}
{{- $given := .Values.configuration | default dict -}}
{{- $own := dict "httpAddress" "0.0.0.0" "leaseName" (include "zonekeeper.fullname" .) -}}
{{- if and .Values.api.enabled (hasKey $keys.options "apiPort") -}}
{{- $_ := set $own "apiPort" 8443 -}}
{{- $_ := set $own "apiTokenFile" "/var/run/zonekeeper/api/token" -}}
{{- end -}}
{{- range $cluster, $option := dict "source" "kubeconfig" "target" "target" "providers" "providers" "coordination" "coordination" -}}
{{- if index $.Values.kubeconfigs $cluster "secretName" -}}
{{- $_ := set $own $option (printf "/etc/zonekeeper/kubeconfig/%s/kubeconfig" $cluster) -}}
{{- end -}}
{{- end -}}
{{- if not .Values.crds.install -}}
{{- range list "kubeconfig" "target" "providers" -}}
{{- $_ := set $own (printf "%sDisableDeployCrds" .) true -}}
{{- end -}}
{{- end -}}
{{- range $key, $value := $given -}}
{{- if not (kindIs "invalid" $value) -}}
{{- $_ := set $own (default $key (index $keys.aliases $key)) $value -}}
{{- end -}}
{{- end -}}
{{- range .Values.plugins -}}
{{- $paths := default list $own.plugin -}}
{{- $paths = kindIs "slice" $paths | ternary $paths (splitList "," (toString $paths)) -}}
{{- $_ := set $own "plugin" (append $paths (printf "/plugins/%s/%s" .name .path)) -}}
{{- range $key, $value := .options -}}
{{- if or (hasKey $own $key) (hasKey $keys.options $key) (hasKey $keys.aliases $key) -}}
{{- fail (printf "\n\nplugins: options.%s: it is no option of a plug-in, or is given twice; options of zonekeeper itself are in configuration\n" $key) -}}
{{- end -}}
{{- $_ := set $own $key $value -}}
{{- end -}}
{{- end -}}
{{- if eq (toString (index $own "dialect")) "gardener" -}}
{{- with index $own "namespace" -}}
{{- $_ := set $own "leaseNamespace" . -}}
{{- end -}}
{{- $_ := unset $own "namespace" -}}
{{- with index $own "name" -}}
{{- $_ := set $own "leaseName" . -}}
{{- end -}}
{{- $_ := unset $own "name" -}}
{{- end -}}
{{- toJson $own -}}
{{- end -}}

{{/* The file of --config: ours, or with `dialect: gardener` one of Gardener's, which the program reads as such. */}}
{{- define "zonekeeper.configFile" -}}
{{- $keys := (.Files.Get "files/known-values.json" | fromJson).configuration -}}
{{- $own := include "zonekeeper.configuration" . | fromJson -}}
{{- $isGardener := eq (toString (index $own "dialect")) "gardener" -}}
{{- if not $isGardener -}}
apiVersion: zonekeeper.dev/v1alpha1
kind: Configuration
{{ end -}}
{{- range $key := keys $own | sortAlpha -}}
{{- if ne $key "dialect" -}}
{{- $flag := coalesce (index $keys.options $key) (index $keys.gardener $key) $key -}}
{{ ternary $flag $key $isGardener }}: {{ toJson (index $own $key) }}
{{ end -}}
{{- end -}}
{{- end -}}

{{/* Values as the rights see them: with the configuration as it is in effect, and controllers by our names. */}}
{{- define "zonekeeper.effective" -}}
{{- $groups := (.Files.Get "files/known-values.json" | fromJson).configuration.controllers -}}
{{- $configuration := include "zonekeeper.configuration" . | fromJson -}}
{{- with $configuration.controllers -}}
{{- $names := list -}}
{{- range (kindIs "slice" . | ternary . (splitList "," (toString .))) -}}
{{- $name := trim (toString .) -}}
{{- $names = concat $names (default (list $name) (index $groups $name)) -}}
{{- end -}}
{{- $_ := set $configuration "controllers" (uniq $names) -}}
{{- end -}}
{{- toJson (merge (dict "configuration" $configuration) (omit .Values "configuration")) -}}
{{- end -}}

{{- define "zonekeeper.httpPort" -}}
{{- (include "zonekeeper.configuration" . | fromJson).httpPort | default 8080 | int -}}
{{- end -}}

{{/* Empty = no API is served beside it. */}}
{{- define "zonekeeper.apiPort" -}}
{{- with (include "zonekeeper.configuration" . | fromJson).apiPort -}}{{- int . -}}{{- end -}}
{{- end -}}

{{/* Empty = none. */}}
{{- define "zonekeeper.notifyPort" -}}
{{- with (include "zonekeeper.configuration" . | fromJson).notifyAddress -}}{{- regexFind "[0-9]+$" (toString .) -}}{{- end -}}
{{- end -}}

{{- define "zonekeeper.checkOwner" -}}
{{- $own := include "zonekeeper.configuration" . | fromJson -}}
{{- $names := list -}}
{{- range .Values.extraEnv -}}{{- $names = append $names (toString .name) -}}{{- end -}}
{{- if and (empty (index $own "owner")) (not (has "ZONEKEEPER_OWNER" $names)) -}}
{{- fail "\n\nconfiguration.owner is missing: the id of this installation in the zones, another one in every installation that writes to them. For example: --set configuration.owner=my-group\n" -}}
{{- end -}}
{{- end -}}
