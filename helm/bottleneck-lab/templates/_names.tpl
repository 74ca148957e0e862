{{/* Names and labels. Those that take a component are called with (dict "root" $ "component" NAME). */}}

{{- define "bottleneck-lab.fullname" -}}
{{- .Values.fullnameOverride | default .Release.Name | trunc 40 | trimSuffix "-" -}}
{{- end -}}

{{- define "bottleneck-lab.name" -}}
{{- include "bottleneck-lab.fullname" .root }}-{{ .component -}}
{{- end -}}

{{/* What tells the pods of a component from all others; may not change between releases. */}}
{{- define "bottleneck-lab.selector" -}}
app.kubernetes.io/name: bottleneck-lab
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- end -}}

{{- define "bottleneck-lab.labels" -}}
{{ include "bottleneck-lab.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/part-of: bottleneck-lab
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ .root.Chart.Name }}-{{ .root.Chart.Version }}
{{- end -}}

{{/* The image of one target of the Dockerfile. */}}
{{- define "bottleneck-lab.image" -}}
{{- $image := .root.Values.image -}}
{{- with $image.registry }}{{ . }}/{{ end }}{{ $image.repository }}/{{ .component }}:{{ $image.tag | default .root.Chart.AppVersion -}}
{{- end -}}

{{- define "bottleneck-lab.cosmosEndpoint" -}}
{{- if .Values.cosmosEmulator.enabled -}}
http://{{ include "bottleneck-lab.name" (dict "root" . "component" "cosmos-emulator") }}:8081
{{- else -}}
{{ required "cosmos.endpoint: https://ACCOUNT.documents.azure.com is needed without the stand-in" .Values.cosmos.endpoint }}
{{- end -}}
{{- end -}}
