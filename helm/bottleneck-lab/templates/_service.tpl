{{/*
One service: account, Deployment, Service, and what several replicas need.
(dict "root" $ "component" NAME "values" VALUES "env" YAML "cosmos" BOOLEAN "cpuLimit" TEXT "autoscaled" BOOLEAN)
*/}}
{{- define "bottleneck-lab.service" -}}
{{- $root := .root -}}
{{- $identity := and .cosmos $root.Values.workloadIdentity.enabled -}}
{{- $clientId := ternary $root.Values.workloadIdentity.servicesClientId "" (default false $identity) -}}
{{- $several := or .autoscaled (gt (int .values.replicas) 1) -}}
{{ include "bottleneck-lab.serviceAccount" (dict "root" $root "component" .component "clientId" $clientId) }}
---
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ include "bottleneck-lab.name" . }}
  labels:
    {{- include "bottleneck-lab.labels" . | nindent 4 }}
spec:
  {{- if not .autoscaled }}
  replicas: {{ int .values.replicas }}
  {{- end }}
  revisionHistoryLimit: 3
  strategy:
    type: RollingUpdate
    rollingUpdate:
      maxSurge: 1
      maxUnavailable: 0
  selector:
    matchLabels:
      {{- include "bottleneck-lab.selector" . | nindent 6 }}
  template:
    metadata:
      labels:
        {{- include "bottleneck-lab.selector" . | nindent 8 }}
        {{- if $identity }}
        azure.workload.identity/use: 'true'
        {{- end }}
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
      # Endpoints are left, requests in flight are answered, telemetry is delivered.
      terminationGracePeriodSeconds: {{ add $root.Values.service.preStopSeconds (div (int64 $root.Values.service.shutdownGraceMs) 1000) 10 }}
      {{- if $several }}
      topologySpreadConstraints:
        {{- range list "topology.kubernetes.io/zone" "kubernetes.io/hostname" }}
        - maxSkew: 1
          topologyKey: {{ . }}
          whenUnsatisfiable: ScheduleAnyway
          labelSelector:
            matchLabels:
              {{- include "bottleneck-lab.selector" $ | nindent 14 }}
          matchLabelKeys:
            - pod-template-hash
        {{- end }}
      {{- end }}
      containers:
        - name: {{ .component }}
          image: {{ include "bottleneck-lab.image" . }}
          imagePullPolicy: {{ $root.Values.image.pullPolicy }}
          securityContext:
            {{- include "bottleneck-lab.containerSecurity" . | nindent 12 }}
          ports:
            - name: http
              containerPort: 8080
            - name: internal
              containerPort: 9090
          env:
            {{- include "bottleneck-lab.serviceEnvironment" . | nindent 12 }}
            {{- with .env }}
            {{- . | nindent 12 }}
            {{- end }}
            {{- if .cosmos }}
            {{- include "bottleneck-lab.cosmosEnvironment" $root | nindent 12 }}
            {{- end }}
            {{- include "bottleneck-lab.telemetryEnvironment" . | trim | nindent 12 }}
          startupProbe:
            httpGet: { path: /-/live, port: internal }
            periodSeconds: 1
            failureThreshold: 60
          livenessProbe:
            httpGet: { path: /-/live, port: internal }
            periodSeconds: 10
            timeoutSeconds: 5
            failureThreshold: 6
          readinessProbe:
            httpGet: { path: /-/ready, port: internal }
            periodSeconds: 2
            timeoutSeconds: 2
          lifecycle:
            preStop:
              sleep:
                seconds: {{ int $root.Values.service.preStopSeconds }}
          resources:
            {{- toYaml .values.resources | nindent 12 }}
          volumeMounts:
            - name: tmp
              mountPath: /tmp
      volumes:
        - name: tmp
          emptyDir:
            sizeLimit: 64Mi
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
      port: 8080
      targetPort: http
      appProtocol: http
{{- if $several }}
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: {{ include "bottleneck-lab.name" . }}
  labels:
    {{- include "bottleneck-lab.labels" . | nindent 4 }}
spec:
  maxUnavailable: 1
  selector:
    matchLabels:
      {{- include "bottleneck-lab.selector" . | nindent 6 }}
{{- end }}
{{- end -}}
