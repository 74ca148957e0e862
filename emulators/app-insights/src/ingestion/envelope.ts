/**
 * The wire format of Application Insights ("Breeze"), as far as tables need it. All fields are what a sender claims:
 * nothing is trusted before `toRows` has looked at it.
 */
export interface Envelope {
  /** ISO 8601. */
  time?: unknown;
  /** Instrumentation key, a GUID. */
  iKey?: unknown;
  /** Percentage of items that the sender kept, 0 to 100; missing means 100. */
  sampleRate?: unknown;
  /** Context by `ai.*` key. */
  tags?: unknown;
  data?: unknown;
}

export interface MetricPoint {
  name?: unknown;
  value?: unknown;
  count?: unknown;
  min?: unknown;
  max?: unknown;
  stdDev?: unknown;
}

/** One item that is refused, as it stands in the `errors` list of the answer. */
export interface ItemError {
  index: number;
  statusCode: number;
  message: string;
}

/** Answer of the track routes, for every status. */
export interface TrackResponse {
  itemsReceived: number;
  itemsAccepted: number;
  appId: string;
  errors: ItemError[];
}

/** Thrown by the mapping of one item; the others of its request go on. */
export class ItemRejection extends Error {
  readonly statusCode: number;

  constructor(message: string, statusCode = 400) {
    super(message);
    this.name = 'ItemRejection';
    this.statusCode = statusCode;
  }
}
