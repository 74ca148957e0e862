/** Where telemetry goes, as far as the environment says; nothing when it names no receiver. */
export interface TelemetrySettings {
  /** Cloud role name. */
  serviceName: string;
  instance: string;
  version: string;
  azure: AzureSettings | null;
  otlp: OtlpSettings | null;
  /** Share of traces that are kept, 0.01 to 1. */
  samplingRatio: number;
  /** Between two deliveries of spans, logs and metrics, ms. */
  deliveryIntervalMs: number;
  metricIntervalMs: number;
  /** Origins of other services with their role, for the targets of calls. */
  peers: ReadonlyMap<string, string>;
}

export interface AzureSettings {
  connectionString: string;
  /** Base URL of an ingestion endpoint without TLS: a stand-in. The SDK rewrites such an endpoint to https by itself. */
  insecureEndpoint: string | null;
}

export interface OtlpSettings {
  protocol: 'http/protobuf' | 'http/json';
}

export class TelemetrySettingsError extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(`telemetry: the environment is not right\n${problems.map((line) => `  ${line}`).join('\n')}`);
    this.name = 'TelemetrySettingsError';
    this.problems = problems;
  }
}

type Environment = Readonly<Record<string, string | undefined>>;

/** A local receiver gets everything each second; Azure gets the intervals its price is made for. */
const LOCAL_INTERVAL_MS = 1000;
const AZURE_SPANS_MS = 5000;
const AZURE_METRICS_MS = 60_000;

/** True when the environment names a receiver; cheap, as it decides whether anything is loaded at all. */
export function isTelemetryOn(env: Environment): boolean {
  if (env.OTEL_SDK_DISABLED?.toLowerCase() === 'true') return false;
  return Boolean(env.APPLICATIONINSIGHTS_CONNECTION_STRING || env.OTEL_EXPORTER_OTLP_ENDPOINT);
}

export interface ProcessIdentity {
  serviceName: string;
  version: string;
  pid: number;
}

/** Reads all settings; throws `TelemetrySettingsError` with every problem at once. */
export function readSettings(
  env: Environment,
  identity: ProcessIdentity,
  peers: ReadonlyMap<string, string>,
): TelemetrySettings {
  const problems: string[] = [];
  const azure = azureSettings(env, problems);
  const otlp = otlpSettings(env, problems);
  const samplingRatio = ratio(env.TELEMETRY_SAMPLING_RATIO, problems);
  const local = azure === null || azure.insecureEndpoint !== null;
  const interval = (name: string, standard: number) => positive(env, name, { standard, problems });
  const deliveryIntervalMs = interval('OTEL_BSP_SCHEDULE_DELAY', local ? LOCAL_INTERVAL_MS : AZURE_SPANS_MS);
  const metricIntervalMs = interval(
    'OTEL_METRIC_EXPORT_INTERVAL',
    local ? LOCAL_INTERVAL_MS : AZURE_METRICS_MS,
  );
  if (problems.length > 0) throw new TelemetrySettingsError(problems);
  const serviceName = env.OTEL_SERVICE_NAME || identity.serviceName;
  return {
    serviceName,
    instance: env.INSTANCE || `${serviceName}-${identity.pid}`,
    version: identity.version,
    azure,
    otlp,
    samplingRatio,
    deliveryIntervalMs,
    metricIntervalMs,
    peers,
  };
}

function azureSettings(env: Environment, problems: string[]): AzureSettings | null {
  const connectionString = env.APPLICATIONINSIGHTS_CONNECTION_STRING;
  if (!connectionString) return null;
  const parts = new Map(
    connectionString.split(';').map((part) => {
      const [key = '', ...value] = part.split('=');
      return [key.trim().toLowerCase(), value.join('=').trim()];
    }),
  );
  const key = parts.get('instrumentationkey') ?? '';
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(key)) {
    problems.push(
      'APPLICATIONINSIGHTS_CONNECTION_STRING: InstrumentationKey must be a GUID in lower case, as the SDK takes no other',
    );
  }
  const endpoint = parts.get('ingestionendpoint');
  if (endpoint === undefined || !endpoint.toLowerCase().startsWith('http:')) {
    return { connectionString, insecureEndpoint: null };
  }
  if (!isAllowedWithoutTls(endpoint, env)) {
    problems.push(
      `APPLICATIONINSIGHTS_CONNECTION_STRING: IngestionEndpoint ${endpoint} has no TLS, which is allowed on loopback only, ` +
        'or anywhere with TELEMETRY_ALLOW_HTTP=true',
    );
  }
  return { connectionString, insecureEndpoint: endpoint.replace(/\/+$/, '') };
}

function isAllowedWithoutTls(endpoint: string, env: Environment): boolean {
  if (env.TELEMETRY_ALLOW_HTTP?.toLowerCase() === 'true') return true;
  if (!URL.canParse(endpoint)) return false;
  const { hostname } = new URL(endpoint);
  return hostname === 'localhost' || hostname === '[::1]' || /^127\./.test(hostname);
}

const PROTOCOLS = ['http/protobuf', 'http/json'] as const;

function otlpSettings(env: Environment, problems: string[]): OtlpSettings | null {
  if (!env.OTEL_EXPORTER_OTLP_ENDPOINT) return null;
  const text = env.OTEL_EXPORTER_OTLP_PROTOCOL || 'http/protobuf';
  const protocol = PROTOCOLS.find((known) => known === text);
  if (protocol === undefined) {
    problems.push(`OTEL_EXPORTER_OTLP_PROTOCOL: ${text} is not one of ${PROTOCOLS.join(', ')}`);
  }
  if (!URL.canParse(env.OTEL_EXPORTER_OTLP_ENDPOINT)) {
    problems.push(`OTEL_EXPORTER_OTLP_ENDPOINT: ${env.OTEL_EXPORTER_OTLP_ENDPOINT} is not a URL`);
  }
  return { protocol: protocol ?? 'http/protobuf' };
}

/** Each kept item stands for a whole number of items only at these shares, so that counts by `itemCount` are right. */
const RATIOS = [1, 0.5, 0.25, 0.2, 0.1, 0.05, 0.04, 0.02, 0.01];

function ratio(text: string | undefined, problems: string[]): number {
  if (text === undefined || text === '') return 1;
  const value = Number(text);
  if (RATIOS.includes(value)) return value;
  problems.push(`TELEMETRY_SAMPLING_RATIO: ${text} is not one of ${RATIOS.join(', ')}`);
  return 1;
}

function positive(
  env: Environment,
  name: string,
  { standard, problems }: { standard: number; problems: string[] },
): number {
  const text = env[name];
  if (text === undefined || text === '') return standard;
  const value = Number(text);
  if (Number.isInteger(value) && value >= 100 && value <= 3_600_000) return value;
  problems.push(`${name}: ${text} is not a whole number of milliseconds from 100 to 3600000`);
  return standard;
}
