import { type Analysis, analyse } from '../../../../lab/src/analysis/index.js';
import {
  type Diagnosis,
  diagnose,
  judgeValidity,
  type Validity,
} from '../../../../lab/src/diagnosis/index.js';
import type { Recording } from '../../../../lab/src/recording/index.js';
import { type SyntheticOptions, syntheticRecording } from './synthetic-recording.js';

const recordings = new Map<string, Recording>();

/** The same options give the same recording; tests that change it copy it first. */
export function cachedRecording(options: SyntheticOptions): Recording {
  const key = JSON.stringify(options);
  const known = recordings.get(key);
  if (known !== undefined) return known;
  const fresh = syntheticRecording(options);
  recordings.set(key, fresh);
  return fresh;
}

export interface Explained {
  analysis: Analysis;
  validity: Validity;
  diagnosis: Diagnosis;
}

export function explain(recording: Recording): Explained {
  const analysis = analyse(recording);
  const validity = judgeValidity(recording, analysis);
  return { analysis, validity, diagnosis: diagnose(analysis, validity) };
}

/** Names of the findings, best first, with their subject where there is one. */
export function namesOf({ diagnosis }: Explained): string[] {
  return diagnosis.findings.map((one) => one.name);
}
