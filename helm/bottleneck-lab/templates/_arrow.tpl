{{/*
The arrows of the architecture's picture that end at one component: what may go out there, and what may come in.
(dict "root" $ "to" NAME "port" PORT "from" (list NAME...) "peers" EXTRA-SOURCES)
*/}}
{{- define "bottleneck-lab.arrows" -}}
{{- if .root.Values.networkPolicy.enabled }}
{{- $target := dict "root" .root "component" .to -}}
---
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata:
  name: {{ include "bottleneck-lab.name" (dict "root" .root "component" (printf "to-%s" .to)) }}
  labels:
    {{- include "bottleneck-lab.labels" $target | nindent 4 }}
spec:
  podSelector:
    {{- include "bottleneck-lab.components" . | nindent 4 }}
  policyTypes:
    - Egress
  egress:
    - to:
        - podSelector:
            matchLabels:
              {{- include "bottleneck-lab.selector" $target | nindent 14 }}
      ports:
        - protocol: TCP
          port: {{ .port }}
---
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata:
  name: {{ include "bottleneck-lab.name" (dict "root" .root "component" (printf "into-%s" .to)) }}
  labels:
    {{- include "bottleneck-lab.labels" $target | nindent 4 }}
spec:
  podSelector:
    matchLabels:
      {{- include "bottleneck-lab.selector" $target | nindent 6 }}
  policyTypes:
    - Ingress
  ingress:
    - from:
        - podSelector:
            {{- include "bottleneck-lab.components" . | nindent 12 }}
        {{- with .peers }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
      ports:
        - protocol: TCP
          port: {{ .port }}
{{- end }}
{{- end -}}

{{/* A selector of several components of this release: (dict "root" $ "from" (list NAME...)) */}}
{{- define "bottleneck-lab.components" -}}
matchLabels:
  app.kubernetes.io/name: bottleneck-lab
  app.kubernetes.io/instance: {{ .root.Release.Name }}
matchExpressions:
  - key: app.kubernetes.io/component
    operator: In
    values:
      {{- toYaml .from | nindent 6 }}
{{- end -}}
