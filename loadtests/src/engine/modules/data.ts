/** Lists made once for all virtual users, by name. */
export class SharedData {
  readonly #lists = new Map<string, readonly unknown[]>();

  list(name: string, make: () => unknown): readonly unknown[] {
    const known = this.#lists.get(name);
    if (known !== undefined) return known;
    const made = make();
    if (!Array.isArray(made)) throw new TypeError(`the function of SharedArray '${name}' must return a list`);
    const frozen = freeze(JSON.parse(JSON.stringify(made))) as readonly unknown[];
    this.#lists.set(name, frozen);
    return frozen;
  }
}

function freeze(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  for (const member of Object.values(value)) freeze(member);
  return Object.freeze(value);
}

/** `k6/data` for one virtual user. The elements are read-only, as in k6. */
export function dataModule(
  shared: SharedData,
  assertLoading: (what: string) => void,
): Record<string, unknown> {
  function SharedArray(name: unknown, make: unknown): readonly unknown[] {
    assertLoading('new SharedArray()');
    if (typeof name !== 'string' || name === '') throw new TypeError('SharedArray needs a name');
    if (typeof make !== 'function')
      throw new TypeError(`SharedArray '${name}' needs a function that makes the list`);
    if (make.constructor.name === 'AsyncFunction') {
      throw new TypeError(`the function of SharedArray '${name}' must not be async`);
    }
    return shared.list(name, make as () => unknown);
  }
  return { SharedArray };
}
