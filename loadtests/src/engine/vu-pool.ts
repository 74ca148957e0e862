import type { Clock } from './clock.js';
import type { ActiveVu } from './executors/executor.js';
import type { RunCounters } from './run-state.js';
import type { Activation, VirtualUser } from './vu.js';

/** The initialised virtual users of a run; the one that has been idle longest is used first. */
export class VuPool {
  readonly #idle: VirtualUser[] = [];
  readonly #all: VirtualUser[] = [];
  readonly #make: (vuId: number) => VirtualUser;
  readonly #counters: RunCounters;
  readonly #clock: Clock;

  constructor(
    make: (vuId: number) => VirtualUser,
    { counters, clock }: { counters: RunCounters; clock: Clock },
  ) {
    this.#make = make;
    this.#counters = counters;
    this.#clock = clock;
  }

  /** Initialises the planned users, before the test's clock starts. */
  fill(count: number): void {
    for (let i = 0; i < count; i++) this.#idle.push(this.#create());
  }

  acquire(activation: Activation): ActiveVu {
    return this.#use(this.#idle.shift() ?? this.#create(), activation);
  }

  async acquireUnplanned(activation: Activation): Promise<ActiveVu> {
    await this.#clock.yield();
    return this.#use(this.#create(), activation);
  }

  close(): void {
    for (const vu of this.#all) vu.close();
  }

  #create(): VirtualUser {
    const vu = this.#make(this.#all.length + 1);
    this.#all.push(vu);
    this.#counters.vusInitialized += 1;
    return vu;
  }

  #use(vu: VirtualUser, activation: Activation): ActiveVu {
    vu.activate(activation);
    this.#counters.vusActive += 1;
    return {
      iterate: () => vu.iterate(),
      interrupt: () => vu.interrupt(),
      release: () => {
        this.#counters.vusActive -= 1;
        this.#idle.push(vu);
      },
    };
  }
}
