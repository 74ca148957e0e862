import type { CheckGroup } from '../results/check-tree.js';
import type { TagSet } from '../results/tags.js';
import { awaited, callThatMade, unawaited } from './awaited.js';
import { readTags } from './metrics.js';

export interface K6ModuleHost {
  readonly tags: TagSet;
  /** The group that the virtual user is in. */
  group: CheckGroup;
  sleep(seconds: number): Promise<void>;
  recordCheck(name: string, passed: boolean, tags: TagSet): void;
  recordGroup(group: CheckGroup, startedAtMs: number): void;
  assertRunning(what: string): void;
  now(): number;
}

const SEPARATOR = '::';

/** `k6` for one virtual user. */
export function k6Module(host: K6ModuleHost): Record<string, unknown> {
  return {
    check: (value: unknown, checks: unknown, tags?: Record<string, unknown>) =>
      runChecks(host, { value, checks, tags }),
    sleep(seconds: unknown) {
      host.assertRunning('sleep()');
      const wanted = Number(seconds);
      if (!Number.isFinite(wanted)) throw new TypeError(`sleep() takes seconds, not ${String(seconds)}`);
      return awaited('sleep()', host.sleep(Math.max(0, wanted)));
    },
    fail(message: unknown = ''): never {
      throw new Error(String(message));
    },
    group: (name: unknown, body: unknown) => runGroup(host, name, body),
  };
}

function runChecks(
  host: K6ModuleHost,
  { value, checks, tags }: { value: unknown; checks: unknown; tags: Record<string, unknown> | undefined },
): boolean {
  host.assertRunning('check()');
  const call = callThatMade(value);
  if (call !== undefined) throw unawaited(call);
  if (typeof checks !== 'object' || checks === null) throw new TypeError('check() needs an object of checks');
  const base = tags === undefined ? host.tags : host.tags.withAll(readTags(tags));
  let all = true;
  for (const [name, check] of Object.entries(checks)) {
    if (name.includes(SEPARATOR))
      throw new TypeError(`the name of a check may not contain '${SEPARATOR}': ${name}`);
    let passed = false;
    try {
      const result: unknown = typeof check === 'function' ? check(value) : check;
      if (typeof check === 'function' && check.constructor.name === 'AsyncFunction') {
        throw new TypeError(`the check '${name}' must not be async; check awaited values instead`);
      }
      passed = Boolean(result);
    } finally {
      // Also when the check throws: then it has failed, and the error goes on to the script.
      host.recordCheck(name, passed, base);
    }
    all &&= passed;
  }
  return all;
}

function runGroup(host: K6ModuleHost, name: unknown, body: unknown): unknown {
  host.assertRunning('group()');
  const title = String(name);
  if (title.includes(SEPARATOR))
    throw new TypeError(`the name of a group may not contain '${SEPARATOR}': ${title}`);
  if (typeof body !== 'function') throw new TypeError(`group '${title}' needs a function`);
  if (body.constructor.name === 'AsyncFunction') {
    throw new TypeError(`group '${title}': group() does not support async functions; use tags instead`);
  }
  const outer = host.group;
  const startedAtMs = host.now();
  host.group = outer.group(title);
  try {
    return body();
  } finally {
    host.recordGroup(host.group, startedAtMs);
    host.group = outer;
  }
}
