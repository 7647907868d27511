{{- define "zonekeeper.fullname" -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 63 | trimSuffix "-" -}}
{{- else -}}
{{- $name := default .Chart.Name .Values.nameOverride -}}
{{- ternary .Release.Name (printf "%s-%s" .Release.Name $name) (contains $name .Release.Name) | trunc 63 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{- define "zonekeeper.selectorLabels" -}}
app.kubernetes.io/name: zonekeeper
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "zonekeeper.labels" -}}
{{ include "zonekeeper.selectorLabels" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end -}}

{{- define "zonekeeper.metadata" -}}
name: {{ include "zonekeeper.fullname" . }}
namespace: {{ .Release.Namespace }}
labels:
  {{- include "zonekeeper.labels" . | nindent 2 }}
{{- end -}}

{{- define "zonekeeper.serviceAccount" -}}
{{- if .Values.serviceAccount.create -}}
{{- default (include "zonekeeper.fullname" .) .Values.serviceAccount.name -}}
{{- else -}}
{{- default "default" .Values.serviceAccount.name -}}
{{- end -}}
{{- end -}}

{{- define "zonekeeper.image" -}}
{{- $path := ternary .Values.image.repository (printf "%s/%s" (trimSuffix "/" .Values.imageRegistry) .Values.image.repository) (empty .Values.imageRegistry) -}}
{{- if .Values.image.digest -}}
{{ $path }}@{{ .Values.image.digest }}
{{- else -}}
{{ $path }}:{{ default .Chart.AppVersion .Values.image.tag }}
{{- end -}}
{{- end -}}

{{- define "zonekeeper.apiSecret" -}}
{{- default (printf "%s-api" (include "zonekeeper.fullname" .)) .Values.api.existingSecret -}}
{{- end -}}

{{/* Of all containers: the restricted Pod Security Standard. */}}
{{- define "zonekeeper.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities:
  drop: [ALL]
{{- end -}}

{{- define "zonekeeper.podSecurity" -}}
runAsNonRoot: true
runAsUser: 65532
runAsGroup: 65532
fsGroup: 65532
seccompProfile:
  type: RuntimeDefault
{{- end -}}
