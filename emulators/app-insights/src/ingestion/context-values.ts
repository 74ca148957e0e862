import type { Envelope } from './envelope.js';
import { cutText, itemCount, text } from './fields.js';

/** Settings that end up in columns. */
export interface ResourceIdentity {
  /** Application id (`appId` column and answers). */
  appId: string;
  /** `appName` column. */
  appName: string;
}

const MAX_TAG = 1024;
const NO_TAGS: Readonly<Record<string, unknown>> = Object.freeze({});

export function tagsOf(envelope: Envelope): Readonly<Record<string, unknown>> {
  const { tags } = envelope;
  return typeof tags === 'object' && tags !== null && !Array.isArray(tags)
    ? (tags as Readonly<Record<string, unknown>>)
    : NO_TAGS;
}

/** Texts that most items of one sender share: keeping one copy saves most of a row's memory. */
class LastTexts {
  readonly #last: string[] = [];

  keep(slot: number, value: string): string {
    const last = this.#last[slot];
    if (last === value) return last;
    this.#last[slot] = value;
    return value;
  }
}

/** Values of `CONTEXT_COLUMNS`, in their order. */
export class ContextValues {
  readonly #identity: ResourceIdentity;
  readonly #newItemId: () => string;
  readonly #last = new LastTexts();

  constructor(identity: ResourceIdentity, newItemId: () => string) {
    this.#identity = identity;
    this.#newItemId = newItemId;
  }

  of(envelope: Envelope): unknown[] {
    const tags = tagsOf(envelope);
    const last = this.#last;
    const shared = (slot: number, value: unknown) =>
      value === undefined ? '' : last.keep(slot, cutText(value, MAX_TAG));
    return [
      shared(0, tags['ai.operation.name']),
      shared(1, tags['ai.operation.id']),
      cutText(tags['ai.operation.parentId'], MAX_TAG),
      shared(2, tags['ai.operation.syntheticSource']),
      shared(3, tags['ai.session.id']),
      shared(4, tags['ai.user.id']),
      shared(5, tags['ai.user.authUserId']),
      shared(6, tags['ai.user.accountId']),
      shared(7, tags['ai.application.ver']),
      shared(8, tags['ai.device.type'] ?? 'PC'),
      shared(9, tags['ai.device.model']),
      shared(10, tags['ai.device.osVersion']),
      // The service stores no addresses unless it is told to.
      tags['ai.location.ip'] === undefined ? '' : '0.0.0.0',
      '',
      '',
      '',
      '',
      shared(11, tags['ai.cloud.role']),
      shared(12, tags['ai.cloud.roleInstance']),
      this.#identity.appId,
      this.#identity.appName,
      last.keep(13, text(envelope.iKey)),
      shared(14, tags['ai.internal.sdkVersion']),
      this.#newItemId(),
      itemCount(envelope.sampleRate),
    ];
  }

  /** Keeps one copy of a text that repeats from item to item; `slot` is the caller's, from 32. */
  shared(slot: number, value: unknown, max: number): string {
    return value === undefined ? '' : this.#last.keep(slot, cutText(value, max));
  }
}
