import { isScalar } from './equality-index.js';

/** As clients send it; unknown members are kept and echoed. */
export interface IndexingPolicyDefinition {
  indexingMode?: string;
  automatic?: boolean;
  includedPaths?: { path: string }[];
  excludedPaths?: { path: string }[];
}

/** What the service fills in when a container is created without a policy. */
export const DEFAULT_INDEXING_POLICY: IndexingPolicyDefinition = {
  indexingMode: 'consistent',
  automatic: true,
  includedPaths: [{ path: '/*' }],
  excludedPaths: [{ path: '/"_etag"/?' }],
};

const SYSTEM_PROPERTIES = new Set(['_rid', '_self', '_etag', '_attachments', '_ts']);

interface PathRule {
  parts: readonly string[];
  /** `/?` covers exactly the path, `/*` everything under it. */
  exact: boolean;
  included: boolean;
}

/** Which paths of an item are indexed: the most specific rule decides, as the service documents it. */
export class IndexingPolicy {
  readonly #none: boolean;
  /** Most policies are "everything", which needs no matching per item. */
  readonly #everything: boolean;
  readonly #rules: PathRule[];

  constructor(definition: IndexingPolicyDefinition) {
    this.#none = definition.indexingMode?.toLowerCase() === 'none';
    this.#rules = [
      ...(definition.includedPaths ?? []).map(({ path }) => parseRule(path, true)),
      ...(definition.excludedPaths ?? []).map(({ path }) => parseRule(path, false)),
    ].sort((a, b) => b.parts.length - a.parts.length || Number(b.exact) - Number(a.exact));
    this.#everything = this.#rules.every(
      ({ included, parts }) => included || (parts.length === 1 && SYSTEM_PROPERTIES.has(parts[0] as string)),
    );
  }

  covers(path: readonly string[]): boolean {
    if (this.#none) return false;
    const rule = this.#rules.find((candidate) => matches(candidate, path));
    return rule?.included ?? false;
  }

  /** Scalar leaves of the item, without the service's own properties, for which index terms are written. */
  countIndexedPaths(document: object): number {
    if (this.#none) return 0;
    let count = 0;
    for (const [name, value] of Object.entries(document)) {
      if (!SYSTEM_PROPERTIES.has(name)) count += this.#countLeaves(value, [name]);
    }
    return count;
  }

  #countLeaves(value: unknown, path: string[]): number {
    if (isScalar(value)) return this.#everything || this.covers(path) ? 1 : 0;
    if (typeof value !== 'object' || value === null) return 0;
    let count = 0;
    const names = Array.isArray(value) ? null : Object.keys(value);
    const children = Object.values(value);
    for (let i = 0; i < children.length; i++) {
      path.push(names === null ? '[]' : (names[i] as string));
      count += this.#countLeaves(children[i], path);
      path.pop();
    }
    return count;
  }
}

function parseRule(path: string, included: boolean): PathRule {
  const parts = [...path.matchAll(/\/(?:"((?:[^"\\]|\\.)*)"|([^/]+))/g)].map(
    ([, quoted, plain]) => quoted ?? (plain as string),
  );
  const exact = parts.at(-1) === '?';
  if (exact || parts.at(-1) === '*') parts.pop();
  return { parts, exact, included };
}

function matches(rule: PathRule, path: readonly string[]): boolean {
  if (rule.exact ? rule.parts.length !== path.length : rule.parts.length > path.length) return false;
  return rule.parts.every((part, index) => part === path[index]);
}
