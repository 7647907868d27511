{{/* What the Deployment and the test run in: volumes, and where they lie. */}}
{{- define "zonekeeper.volumes" -}}
- name: config
  configMap:
    name: {{ include "zonekeeper.fullname" . }}
- name: tmp
  emptyDir:
    sizeLimit: 16Mi
{{- if include "zonekeeper.apiPort" . }}
# Without it the API answers with what to do, and all else works.
- name: api
  secret:
    secretName: {{ include "zonekeeper.apiSecret" . }}
    optional: true
{{- end }}
{{- range $cluster, $secret := .Values.kubeconfigs }}
{{- if $secret.secretName }}
- name: kubeconfig-{{ $cluster }}
  secret:
    secretName: {{ $secret.secretName }}
    items:
      - key: {{ default "kubeconfig" $secret.key }}
        path: kubeconfig
{{- end }}
{{- end }}
{{- range .Values.plugins }}
- name: plugin-{{ .name }}
  {{- toYaml .volume | nindent 2 }}
{{- end }}
{{- with .Values.extraVolumes }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{- define "zonekeeper.volumeMounts" -}}
- name: config
  mountPath: /etc/zonekeeper
  readOnly: true
- name: tmp
  mountPath: /tmp
{{- if include "zonekeeper.apiPort" . }}
- name: api
  mountPath: /var/run/zonekeeper/api
  readOnly: true
{{- end }}
{{- range $cluster, $secret := .Values.kubeconfigs }}
{{- if $secret.secretName }}
- name: kubeconfig-{{ $cluster }}
  mountPath: /etc/zonekeeper/kubeconfig/{{ $cluster }}
  readOnly: true
{{- end }}
{{- end }}
{{- range .Values.plugins }}
- name: plugin-{{ .name }}
  mountPath: /plugins/{{ .name }}
  readOnly: true
{{- end }}
{{- with .Values.extraVolumeMounts }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{/* After `run` or `check`. */}}
{{- define "zonekeeper.args" -}}
- --config=/etc/zonekeeper/config.yaml
{{- if eq (toString (index (include "zonekeeper.configuration" . | fromJson) "dialect")) "gardener" }}
- --dialect=gardener
{{- end }}
{{- end -}}
