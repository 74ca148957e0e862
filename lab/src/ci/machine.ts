import { machineFingerprint } from '../calibration/fingerprint.js';
import { describeMachine } from '../runner/machine.js';
import type { CiMachine } from './baseline-file.js';

/** This machine; the fingerprint is of processor, cores, architecture and Node version. */
export function thisMachine(): CiMachine {
  return { ...describeMachine(), fingerprint: machineFingerprint([]) };
}
