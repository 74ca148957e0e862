import { KNOB_TABLE, type KnobName } from '../scenarios/index.js';
import { whyUsersFixed } from '../stack/load-board.js';
import type { StackStatus } from '../stack/stack-status.js';
import { HIDDEN_KNOBS, USERS_KNOB, USERS_RANGE, whyNotTurnable } from '../stack/turns.js';
import { localCapabilities } from '../targets/local-target.js';
import type { KnobView } from './api.js';

/** A knob of the load that runs, whoever runs it. */
function usersView(status: StackStatus | null): KnobView {
  const load = status?.load ?? null;
  return {
    ...{ name: USERS_KNOB, title: 'Users of the load', unit: '', range: USERS_RANGE, choices: null },
    value: load?.users ?? null,
    reason: whyUsersFixed(load),
    fixed: false,
  };
}

/** Every knob with its value and, where it can't be turned now, the reason. `status` is null without a stack. */
export function knobViews(status: StackStatus | null): KnobView[] {
  const views = [
    ...(Object.keys(KNOB_TABLE) as KnobName[]).map((name) => viewOf(name, status)),
    usersView(status),
  ];
  if (status?.knobsHidden !== true) return views;
  return views.map((knob) => ({ ...knob, value: null, reason: HIDDEN_KNOBS, fixed: true }));
}

function viewOf(name: KnobName, status: StackStatus | null): KnobView {
  const { title, unit, kind, range } = KNOB_TABLE[name];
  const value = name === 'burst' ? status?.knobs?.burstSeconds : status?.knobs?.[name];
  return {
    ...{ name, title, range },
    unit: name === 'burst' ? 's' : unit,
    value: shown(value),
    choices: kind === 'choice' ? range.split(', ') : null,
    ...stateOf(name, status),
  };
}

function shown(value: unknown): KnobView['value'] {
  if (typeof value === 'number' || typeof value === 'string') return value;
  const latency = value as { meanMs: number } | undefined;
  return latency === undefined ? null : `mean ${latency.meanMs} ms`;
}

function stateOf(name: KnobName, status: StackStatus | null): Pick<KnobView, 'reason' | 'fixed'> {
  const never = whyNotTurnable(name);
  if (never !== null) return { reason: never, fixed: true };
  if (status === null) return { reason: 'no stack is running', fixed: false };
  const capability = localCapabilities(status.database.kind)[name];
  if (!capability.available) return { reason: capability.reason, fixed: true };
  const reason = status.knobs === null ? 'it has no value yet: start a run first' : '';
  return { reason, fixed: false };
}
