{{/*
One stand-in: account, Deployment with a single pod, Service.
(dict "root" $ "component" NAME "port" PORT "values" VALUES "container" YAML "init" YAML "volumes" YAML "annotations" YAML)
`container`: arguments, environment, probes and mounts.
*/}}
{{- define "bottleneck-lab.standIn" -}}
{{- $root := .root -}}
{{ include "bottleneck-lab.serviceAccount" (dict "root" $root "component" .component) }}
---
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ include "bottleneck-lab.name" . }}
  labels:
    {{- include "bottleneck-lab.labels" . | nindent 4 }}
spec:
  # It keeps its state in memory: two of them would be two different ones.
  replicas: 1
  revisionHistoryLimit: 3
  strategy:
    type: Recreate
  selector:
    matchLabels:
      {{- include "bottleneck-lab.selector" . | nindent 6 }}
  template:
    metadata:
      labels:
        {{- include "bottleneck-lab.selector" . | nindent 8 }}
    spec:
      serviceAccountName: {{ include "bottleneck-lab.name" . }}
      automountServiceAccountToken: false
      enableServiceLinks: false
      {{- with $root.Values.image.pullSecrets }}
      imagePullSecrets:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      securityContext:
        {{- include "bottleneck-lab.podSecurity" (int64 $root.Values.podUser) | nindent 8 }}
      terminationGracePeriodSeconds: 15
      {{- with .init }}
      initContainers:
        {{- . | nindent 8 }}
      {{- end }}
      containers:
        - name: {{ .component }}
          image: {{ include "bottleneck-lab.image" . }}
          imagePullPolicy: {{ $root.Values.image.pullPolicy }}
          securityContext:
            {{- include "bottleneck-lab.containerSecurity" . | nindent 12 }}
          ports:
            - name: http
              containerPort: {{ .port }}
          {{- .container | nindent 10 }}
          resources:
            {{- toYaml .values.resources | nindent 12 }}
      volumes:
        {{- .volumes | nindent 8 }}
---
apiVersion: v1
kind: Service
metadata:
  name: {{ include "bottleneck-lab.name" . }}
  labels:
    {{- include "bottleneck-lab.labels" . | nindent 4 }}
spec:
  selector:
    {{- include "bottleneck-lab.selector" . | nindent 4 }}
  ports:
    - name: http
      port: {{ .port }}
      targetPort: http
      appProtocol: http
{{- end -}}
