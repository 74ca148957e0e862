import protobuf from 'protobufjs';
import { EmulatorError } from '../errors.js';

/**
 * The messages of OTLP 1.x that end up in tables, with the field numbers of the public specification (opentelemetry-proto);
 * a reader of protocol buffers skips the fields that are not named. Written compactly: one line per message.
 */
const PROTO = `syntax = "proto3";
message AnyValue { oneof value { string string_value = 1; bool bool_value = 2; int64 int_value = 3; double double_value = 4;
  ArrayValue array_value = 5; KeyValueList kvlist_value = 6; bytes bytes_value = 7; } }
message ArrayValue { repeated AnyValue values = 1; }
message KeyValueList { repeated KeyValue values = 1; }
message KeyValue { string key = 1; AnyValue value = 2; }
message Resource { repeated KeyValue attributes = 1; }
message Scope { string name = 1; string version = 2; }

message TracesRequest { repeated ResourceSpans resource_spans = 1; }
message ResourceSpans { Resource resource = 1; repeated ScopeSpans scope_spans = 2; }
message ScopeSpans { Scope scope = 1; repeated Span spans = 2; }
message Span { bytes trace_id = 1; bytes span_id = 2; string trace_state = 3; bytes parent_span_id = 4; string name = 5;
  int32 kind = 6; fixed64 start_time_unix_nano = 7; fixed64 end_time_unix_nano = 8; repeated KeyValue attributes = 9;
  repeated Event events = 11; repeated Link links = 13; Status status = 15; }
message Event { fixed64 time_unix_nano = 1; string name = 2; repeated KeyValue attributes = 3; }
message Link { bytes trace_id = 1; bytes span_id = 2; }
message Status { string message = 2; int32 code = 3; }

message MetricsRequest { repeated ResourceMetrics resource_metrics = 1; }
message ResourceMetrics { Resource resource = 1; repeated ScopeMetrics scope_metrics = 2; }
message ScopeMetrics { Scope scope = 1; repeated Metric metrics = 2; }
message Metric { string name = 1; string unit = 3; oneof data { Gauge gauge = 5; Sum sum = 7; Histogram histogram = 9;
  ExponentialHistogram exponential_histogram = 10; Summary summary = 11; } }
message Gauge { repeated NumberDataPoint data_points = 1; }
message Sum { repeated NumberDataPoint data_points = 1; int32 aggregation_temporality = 2; bool is_monotonic = 3; }
message Histogram { repeated HistogramDataPoint data_points = 1; int32 aggregation_temporality = 2; }
message ExponentialHistogram { repeated ExponentialHistogramDataPoint data_points = 1; int32 aggregation_temporality = 2; }
message Summary { repeated SummaryDataPoint data_points = 1; }
message NumberDataPoint { fixed64 start_time_unix_nano = 2; fixed64 time_unix_nano = 3;
  oneof value { double as_double = 4; sfixed64 as_int = 6; } repeated KeyValue attributes = 7; }
message HistogramDataPoint { fixed64 start_time_unix_nano = 2; fixed64 time_unix_nano = 3; fixed64 count = 4;
  optional double sum = 5; repeated KeyValue attributes = 9; optional double min = 11; optional double max = 12; }
message ExponentialHistogramDataPoint { repeated KeyValue attributes = 1; fixed64 start_time_unix_nano = 2;
  fixed64 time_unix_nano = 3; fixed64 count = 4; optional double sum = 5; optional double min = 12; optional double max = 13; }
message SummaryDataPoint { fixed64 start_time_unix_nano = 2; fixed64 time_unix_nano = 3; fixed64 count = 4; double sum = 5;
  repeated KeyValue attributes = 7; }

message LogsRequest { repeated ResourceLogs resource_logs = 1; }
message ResourceLogs { Resource resource = 1; repeated ScopeLogs scope_logs = 2; }
message ScopeLogs { Scope scope = 1; repeated LogRecord log_records = 2; }
message LogRecord { fixed64 time_unix_nano = 1; int32 severity_number = 2; string severity_text = 3; AnyValue body = 5;
  repeated KeyValue attributes = 6; bytes trace_id = 9; bytes span_id = 10; fixed64 observed_time_unix_nano = 11;
  string event_name = 12; }

message PartialSuccess { int64 rejected = 1; string error_message = 2; }
message ExportResponse { PartialSuccess partial_success = 1; }
message RpcStatus { int32 code = 1; string message = 2; }
`;

export type RequestMessage = 'TracesRequest' | 'MetricsRequest' | 'LogsRequest';

let root: protobuf.Root | undefined;

function messageType(name: string): protobuf.Type {
  root ??= protobuf.parse(PROTO).root;
  return root.lookupType(name);
}

/** Decodes into the shape of OTLP's JSON form, except that ids are bytes. Throws `EmulatorError` BAD_PROTOBUF. */
export function decodeProtobuf(name: RequestMessage, body: Buffer): unknown {
  const type = messageType(name);
  try {
    return type.toObject(type.decode(body), { longs: String });
  } catch (cause) {
    throw new EmulatorError('BAD_PROTOBUF', `${name}: ${(cause as Error).message}`, { cause });
  }
}

export function encodeProtobuf(name: 'ExportResponse' | 'RpcStatus', value: Record<string, unknown>): Buffer {
  const type = messageType(name);
  return Buffer.from(type.encode(type.fromObject(value)).finish());
}
