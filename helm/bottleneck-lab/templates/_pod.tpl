{{/* The parts that every pod of the chart has. */}}

{{- define "bottleneck-lab.podSecurity" -}}
runAsNonRoot: true
runAsUser: {{ . }}
runAsGroup: {{ . }}
fsGroup: {{ . }}
seccompProfile:
  type: RuntimeDefault
{{- end -}}

{{- define "bottleneck-lab.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities:
  drop:
    - ALL
{{- end -}}

{{/* (dict "root" $ "component" NAME "clientId" ID) ; the token of the Kubernetes API is nobody's business here */}}
{{- define "bottleneck-lab.serviceAccount" -}}
apiVersion: v1
kind: ServiceAccount
metadata:
  name: {{ include "bottleneck-lab.name" . }}
  labels:
    {{- include "bottleneck-lab.labels" . | nindent 4 }}
  {{- if or .clientId .annotations }}
  annotations:
    {{- with .clientId }}
    azure.workload.identity/client-id: {{ . | quote }}
    {{- end }}
    {{- with .annotations }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
  {{- end }}
automountServiceAccountToken: false
{{- end -}}
