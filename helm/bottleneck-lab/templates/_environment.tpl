{{/* Environment of the services; test/deploy compares it with what each of them reads. */}}

{{- define "bottleneck-lab.serviceEnvironment" -}}
{{- $service := .root.Values.service -}}
- name: HOST
  value: {{ $service.host | quote }}
- name: PORT
  value: '8080'
- name: INTERNAL_PORT
  value: '9090'
- name: INSTANCE
  valueFrom:
    fieldRef:
      fieldPath: metadata.name
- name: LOG_LEVEL
  value: {{ $service.logLevel }}
- name: PROFILING
  value: {{ $service.profiling | quote }}
- name: CPU_LIMIT
  value: {{ .cpuLimit | default "none" | quote }}
- name: SHUTDOWN_GRACE_MS
  value: {{ int64 $service.shutdownGraceMs | quote }}
- name: SHUTDOWN_LINGER_MS
  value: {{ int64 $service.shutdownLingerMs | quote }}
- name: KEEP_ALIVE_TIMEOUT_MS
  value: {{ int64 $service.keepAliveTimeoutMs | quote }}
- name: KEEP_ALIVE_MAX_AGE_MS
  value: {{ int64 $service.keepAliveMaxAgeMs | quote }}
- name: KEEP_ALIVE_MAX_REQUESTS
  value: {{ int64 $service.keepAliveMaxRequests | quote }}
- name: BODY_LIMIT_BYTES
  value: {{ int64 $service.bodyLimitBytes | quote }}
# The heap's limits are several times what a service needs; V8's own grow to the machine's memory.
- name: NODE_OPTIONS
  value: --max-semi-space-size=4 --max-old-space-size=192
{{- end -}}

{{- define "bottleneck-lab.cosmosEnvironment" -}}
{{- $cosmos := .Values.cosmos -}}
- name: COSMOS_ENDPOINT
  value: {{ include "bottleneck-lab.cosmosEndpoint" . }}
- name: COSMOS_AUTH
  value: {{ $cosmos.auth }}
{{- if eq $cosmos.auth "key" }}
- name: COSMOS_KEY
  valueFrom:
    secretKeyRef:
      name: {{ required "cosmos.existingSecret: the name of a Secret with cosmos-key is needed" $cosmos.existingSecret }}
      key: cosmos-key
{{- end }}
- name: COSMOS_DATABASE
  value: invoicing
- name: COSMOS_MAX_RETRIES
  value: {{ int64 $cosmos.maxRetries | quote }}
- name: COSMOS_MAX_RETRY_WAIT_SECONDS
  value: {{ int64 $cosmos.maxRetryWaitSeconds | quote }}
- name: COSMOS_REQUEST_TIMEOUT_MS
  value: {{ int64 $cosmos.requestTimeoutMs | quote }}
- name: COSMOS_ENDPOINT_DISCOVERY
  value: {{ $cosmos.endpointDiscovery | quote }}
{{- end -}}

{{- define "bottleneck-lab.telemetryEnvironment" -}}
{{- $values := .root.Values -}}
{{- $telemetry := $values.telemetry -}}
{{- if $values.appInsightsEmulator.enabled }}
{{- /* The key is the stand-in's fixed one, which is no secret. */}}
- name: APPLICATIONINSIGHTS_CONNECTION_STRING
  value: InstrumentationKey=00000000-0000-0000-0000-000000000001;IngestionEndpoint=http://{{ include "bottleneck-lab.name" (dict "root" .root "component" "app-insights-emulator") }}:4319
- name: TELEMETRY_ALLOW_HTTP
  value: 'true'
{{- else if $telemetry.existingSecret }}
- name: APPLICATIONINSIGHTS_CONNECTION_STRING
  valueFrom:
    secretKeyRef:
      name: {{ $telemetry.existingSecret }}
      key: connection-string
{{- end }}
{{- with $telemetry.otlpEndpoint }}
- name: OTEL_EXPORTER_OTLP_ENDPOINT
  value: {{ . | quote }}
{{- end }}
- name: OTEL_SERVICE_NAME
  value: {{ get (dict "gateway" "fabrikam-gateway" "delivery" "fabrikam-delivery" "package" "fabrikam-package" "drone-utilization" "fabrikam-dronescheduler") .component }}
- name: TELEMETRY_SAMPLING_RATIO
  value: {{ $telemetry.samplingRatio | quote }}
{{- end -}}
