export { type Answer, parseAnswer } from './answer.js';
export { WorkshopError } from './errors.js';
export { exercisesOf, findExercise, type WorkshopExercise } from './exercises.js';
export { type Conversation, interview } from './interview.js';
export { type Judgement, judgeAnswer, refuseUnjudgeable, whyUnjudgeable } from './judge.js';
export {
  chooseMystery,
  disguise,
  MYSTERY,
  newestSealedId,
  newestSealedRun,
  revealRun,
  type SealedRun,
  sealRun,
  unsealed,
} from './mystery.js';
export { formatPanel } from './panel.js';
