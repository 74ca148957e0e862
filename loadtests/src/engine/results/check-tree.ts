import { createHash } from 'node:crypto';

export interface CheckResult {
  readonly name: string;
  readonly path: string;
  readonly id: string;
  passes: number;
  fails: number;
}

/** Checks by group, in the order in which they were first made. The root group has no name. */
export class CheckGroup {
  readonly name: string;
  readonly path: string;
  readonly id: string;
  readonly groups = new Map<string, CheckGroup>();
  readonly checks = new Map<string, CheckResult>();

  constructor(name = '', parentPath = '') {
    this.name = name;
    this.path = name === '' ? '' : `${parentPath}::${name}`;
    this.id = idOf(this.path);
  }

  group(name: string): CheckGroup {
    const known = this.groups.get(name);
    if (known !== undefined) return known;
    const made = new CheckGroup(name, this.path);
    this.groups.set(name, made);
    return made;
  }

  check(name: string): CheckResult {
    const known = this.checks.get(name);
    if (known !== undefined) return known;
    const path = `${this.path}::${name}`;
    const made: CheckResult = { name, path, id: idOf(path), passes: 0, fails: 0 };
    this.checks.set(name, made);
    return made;
  }

  /** This group's checks and those of all groups below. */
  get all(): CheckResult[] {
    return [...this.checks.values(), ...[...this.groups.values()].flatMap((group) => group.all)];
  }
}

/** k6 identifies groups and checks by the MD5 of their path. */
function idOf(path: string): string {
  return createHash('md5').update(path).digest('hex');
}
