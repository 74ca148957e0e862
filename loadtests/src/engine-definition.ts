/** Files that a run leaves in its folder, by engine-independent names. */
export interface RunFiles {
  readonly points: string;
  readonly summaryExport: string;
  readonly generatorReport: string;
}

export interface EngineInvocation {
  /** Metrics whose points are wanted; undefined for all. An engine may write more. */
  readonly metrics: readonly string[] | undefined;
  readonly script: string;
  readonly env: Readonly<Record<string, string>>;
  /** In one folder, which exists. */
  readonly files: RunFiles;
}

export interface FoundEngine {
  readonly available: boolean;
  readonly version?: string;
  /** Why the engine cannot be used, and what would help. */
  readonly reason?: string;
}

export interface Program {
  readonly file: string;
  readonly args: readonly string[];
}

/** One run of an engine as a child process. */
export interface EngineCommand extends Program {
  readonly env: Readonly<Record<string, string>>;
  /** For an engine that is not the child itself, but what the child looks after. */
  readonly elsewhere?: {
    /** Interrupts the engine; fails while it is not there yet. */
    readonly interrupt: Program;
    readonly kill: Program;
    /** The process whose CPU time counts; undefined where it can't be seen from here. */
    pid(): Promise<number | undefined>;
  };
}

export interface FindOptions {
  /** Told before something is fetched that may take minutes. */
  readonly onFetch?: ((what: string) => void) | undefined;
}

/** How an engine is found and started. */
export interface EngineDefinition {
  readonly description: string;
  find(options?: FindOptions): Promise<FoundEngine>;
  command(invocation: EngineInvocation): Promise<EngineCommand>;
  /** Takes the messages `shutdown` and `set-vus`; otherwise it is interrupted by signal. */
  readonly takesMessages: boolean;
  /** Points of a second may come this much later than the second's end. */
  readonly pointsDelayMs: number;
}
