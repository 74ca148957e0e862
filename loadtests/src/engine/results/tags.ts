/** How many extensions of one tag set are remembered; a script with a tag value per request must not fill the memory. */
const REMEMBERED_EXTENSIONS = 2_000;

/** An immutable set of tags. Equal extensions of one set are one object, so what depends on the tags can be cached on it. */
export class TagSet {
  /** A set without tags to start from; one per run, since extensions are remembered on it. */
  static root(): TagSet {
    return new TagSet({});
  }

  readonly values: Readonly<Record<string, string>>;
  #json: string | undefined;
  #extensions: Map<string, TagSet> | undefined;
  /** Per metric: the sub-metrics that match these tags. Filled by the metric registry. */
  readonly matches = new Map<object, unknown[]>();

  private constructor(values: Record<string, string>) {
    this.values = values;
  }

  /** JSON with the names in order, as it is written to the points file. */
  get json(): string {
    this.#json ??= JSON.stringify(
      Object.fromEntries(Object.entries(this.values).sort(([a], [b]) => (a < b ? -1 : 1))),
    );
    return this.#json;
  }

  with(name: string, value: string): TagSet {
    if (this.values[name] === value) return this;
    return this.derive(`${name}\u0000${value}`, () => ({ [name]: value }));
  }

  withAll(tags: Readonly<Record<string, string>>): TagSet {
    let extended: TagSet = this;
    for (const name in tags) extended = extended.with(name, tags[name] as string);
    return extended;
  }

  without(name: string): TagSet {
    if (!(name in this.values)) return this;
    const { [name]: _removed, ...rest } = this.values;
    return new TagSet(rest);
  }

  /** The extension known under `key`, made by `tags` when it is new. The key must determine the tags. */
  derive(key: string, tags: () => Record<string, string>): TagSet {
    this.#extensions ??= new Map();
    const known = this.#extensions.get(key);
    if (known !== undefined) return known;
    const made = new TagSet({ ...this.values, ...tags() });
    if (this.#extensions.size < REMEMBERED_EXTENSIONS) this.#extensions.set(key, made);
    return made;
  }
}
