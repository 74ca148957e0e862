/** HTTP calls that k6 makes synchronously and this engine asynchronously, so scripts await them (k6 allows that). */
export const HTTP_VERBS = [
  'get',
  'head',
  'post',
  'put',
  'patch',
  'del',
  'options',
  'request',
  'batch',
] as const;

/** What each k6 module offers here. Importing anything else fails when the script is loaded. */
export const MODULE_EXPORTS: Readonly<Record<string, readonly string[]>> = {
  k6: ['check', 'sleep', 'fail', 'group'],
  'k6/http': [...HTTP_VERBS, 'asyncRequest', 'expectedStatuses', 'setResponseCallback', 'url'],
  'k6/metrics': ['Counter', 'Gauge', 'Rate', 'Trend'],
  'k6/execution': ['scenario', 'instance', 'test', 'vu'],
  'k6/data': ['SharedArray'],
  'k6/timers': ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'],
};

/** The values of all modules for one virtual user, by module and export. */
export type ModuleValues = Record<string, Record<string, unknown>>;
