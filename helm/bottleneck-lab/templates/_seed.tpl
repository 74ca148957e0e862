{{/* Environment of the program that makes the data and sets what a running account can be told. */}}

{{/* What only a new container can have; a change of it gives the stand-in a new pod. */}}
{{- define "bottleneck-lab.seedData" -}}
- name: DATA_SEED
  value: {{ int64 .Values.dataSeed | quote }}
- name: PHYSICAL_PARTITIONS
  value: {{ int64 .Values.cosmos.physicalPartitions | quote }}
- name: NODE_OPTIONS
  value: --max-old-space-size=384
{{- end -}}

{{/* What can be turned while it runs, as variables and their values. */}}
{{- define "bottleneck-lab.seedSettings" -}}
RU_PER_SECOND: {{ int64 .Values.cosmos.ruPerSecond | quote }}
{{- if .Values.cosmosEmulator.enabled }}
{{- $standIn := .Values.cosmosEmulator }}
QUERY_BASE_RU: {{ $standIn.queryBaseRu | quote }}
BURST_SECONDS: {{ $standIn.burstSeconds | quote }}
QUERY_LATENCY: {{ printf "%v:%v" $standIn.queryLatency.meanMs $standIn.queryLatency.coefficientOfVariation | quote }}
POINT_READ_LATENCY: {{ printf "%v:%v" $standIn.pointReadLatency.meanMs $standIn.pointReadLatency.coefficientOfVariation | quote }}
{{- end }}
{{- end -}}

{{- define "bottleneck-lab.cosmosSecret" -}}
{{ required "cosmos.existingSecret: the name of a Secret with cosmos-key and control-token is needed" .Values.cosmos.existingSecret }}
{{- end -}}
