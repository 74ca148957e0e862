import { KNOB_TABLE, type KnobName } from '../scenarios/index.js';
import type { StackStatus } from '../stack/stack-status.js';
import { whyNotTurnable } from '../stack/turns.js';
import { formatTable } from './table.js';

/** A knob as `lab knob` lists it. */
export interface KnobLine {
  knob: string;
  /** Null until a scenario was run. */
  value: unknown;
  unit: string;
  turnable: boolean;
  /** Why not; empty when it can be turned. */
  reason: string;
}

/** Every knob but the users, which are the load's. */
export function stackRows(knobs: StackStatus['knobs']): KnobLine[] {
  return (Object.keys(KNOB_TABLE) as KnobName[]).map((name) => {
    const reason = whyNotTurnable(name);
    const value = name === 'burst' ? knobs?.burstSeconds : knobs?.[name];
    return {
      knob: name,
      value: value ?? null,
      unit: name === 'burst' ? 's' : KNOB_TABLE[name].unit,
      turnable: reason === null,
      reason: reason ?? '',
    };
  });
}

export function formatKnobs(rows: readonly KnobLine[]): string {
  return formatTable(
    ['knob', 'value', 'unit', 'while running'],
    rows.map(({ knob: name, value, unit, reason }) => [
      name,
      value === null ? '-' : typeof value === 'object' ? JSON.stringify(value) : String(value),
      unit,
      reason === '' ? 'can be turned' : reason,
    ]),
  );
}
