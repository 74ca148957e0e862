/** Span attribute that the Azure Monitor exporter turns into `operation_Name` of dependencies and traces. */
export const OPERATION_NAME = 'ai.operation.name';

/**
 * Span attribute with the type of a dependency. The Azure Monitor exporter has none for spans of HTTP calls: on the way to Azure a
 * pipeline policy moves it into the item; a receiver of OTLP finds it in the span.
 */
export const DEPENDENCY_TYPE = 'ai.dependency.type';

/** Span attribute that becomes a dependency's target. */
export const PEER_SERVICE = 'peer.service';

/** Span attribute with the percentage of traces that are kept; becomes `itemCount`. */
export const SAMPLE_RATE = 'microsoft.sample_rate';
