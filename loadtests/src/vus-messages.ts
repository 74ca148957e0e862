import { describeError } from './engine/errors.js';

/** Asks a running engine of ours for another number of virtual users. */
export interface SetVusMessage {
  readonly type: 'set-vus';
  readonly id: number;
  readonly vus: number;
}

export interface VusSetMessage {
  readonly type: 'vus-set';
  readonly id: number;
  /** How many there were; undefined when it was refused. */
  readonly from?: number;
  readonly refused?: string;
}

export function answerSetVus(
  { id, vus }: SetVusMessage,
  setVus: ((vus: number) => number) | undefined,
): VusSetMessage {
  const type = 'vus-set';
  try {
    return setVus === undefined
      ? { type, id, refused: 'no load is running yet' }
      : { type, id, from: setVus(vus) };
  } catch (error) {
    return { type, id, refused: describeError(error) };
  }
}
