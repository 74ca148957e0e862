import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { EXIT_CODES, LoadError } from './engine/errors.js';
import type { EngineCommand, EngineDefinition, Program } from './engine-definition.js';
import { ProcessCpu } from './process-cpu.js';
import type { SetVusMessage, VusSetMessage } from './vus-messages.js';

export interface ProcessEnd {
  readonly exitCode: number;
  /** Last part of what the engine wrote to standard error. */
  readonly stderr: string;
  readonly stdout: string;
  /** CPU time used, milliseconds; undefined where the system does not tell. */
  readonly cpuMs: number | undefined;
}

/** Time for an interrupted engine to run teardown() and its summary. */
const STOP_GRACE_MS = 10_000;
const KEPT_CHARACTERS = 16_384;
const RETRY_MS = 300;
const ANSWER_MS = 5_000;

const notControlled = (message: string) => new LoadError('LOAD_NOT_CONTROLLED', message);

/** An engine as a child process: its own CPU and event loop, and the same kind of end for every engine. */
export class EngineProcess {
  readonly ended: Promise<ProcessEnd>;
  readonly #engine: EngineDefinition;
  readonly #command: EngineCommand;
  readonly #child: ChildProcess;
  readonly #cpu: ProcessCpu;
  /** In a process group of its own, the engine would otherwise outlive this process. */
  readonly #killAtExit = () => this.#killNow();
  #kill: NodeJS.Timeout | undefined;
  #ended = false;
  #asked = 0;
  #stdout = '';
  #stderr = '';

  constructor(engine: EngineDefinition, command: EngineCommand) {
    this.#engine = engine;
    this.#command = command;
    const { file, args, env } = command;
    this.#child = spawn(file, [...args], {
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe', ...(engine.takesMessages ? (['ipc'] as const) : [])],
      windowsHide: true,
      // An interrupt from the keyboard goes to the whole process group. The engine must get one request to stop, from here.
      detached: process.platform !== 'win32',
    });
    process.once('exit', this.#killAtExit);
    this.#cpu = new ProcessCpu(command.elsewhere?.pid ?? (async () => this.#child.pid));
    this.#child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      this.#stdout = (this.#stdout + text).slice(-KEPT_CHARACTERS);
    });
    this.#child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#stderr = (this.#stderr + text).slice(-KEPT_CHARACTERS);
    });
    this.ended = this.#end();
  }

  /** Sets the users of the load; resolves with how many there were. Rejects with LOAD_NOT_CONTROLLED. */
  async setVus(vus: number): Promise<number> {
    if (!this.#engine.takesMessages) {
      throw notControlled(
        'k6 takes the users of a load from its script; only the built-in engine can set them while it runs',
      );
    }
    if (this.#ended || !this.#child.connected) throw notControlled('the load has ended');
    const id = ++this.#asked;
    const answer = new Promise<VusSetMessage>((resolve, reject) => {
      const timeout = setTimeout(
        () => done(() => reject(notControlled('the engine did not answer'))),
        ANSWER_MS,
      );
      const take = (message: VusSetMessage) => {
        if (message?.type === 'vus-set' && message.id === id) done(() => resolve(message));
      };
      const gone = () => done(() => reject(notControlled('the load has ended')));
      const done = (settle: () => void) => {
        clearTimeout(timeout);
        this.#child.off('message', take).off('close', gone);
        settle();
      };
      this.#child.on('message', take).on('close', gone);
    });
    this.#child.send({ type: 'set-vus', id, vus } satisfies SetVusMessage);
    const { from, refused } = await answer;
    if (from === undefined) throw notControlled(refused ?? 'the engine refused');
    return from;
  }

  /** Interrupts the load in order; what does not end in time is killed. */
  stop(): void {
    if (this.#kill !== undefined || this.#ended) return;
    this.#kill = setTimeout(() => this.#killNow(), STOP_GRACE_MS);
    const { elsewhere } = this.#command;
    if (elsewhere !== undefined) this.#interruptElsewhere(elsewhere.interrupt);
    else if (this.#engine.takesMessages && this.#child.connected) this.#child.send({ type: 'shutdown' });
    else this.#child.kill('SIGINT');
  }

  /** An engine that has been started a moment ago can't be reached yet. */
  #interruptElsewhere({ file, args }: Program): void {
    if (this.#ended) return;
    execFile(file, [...args], (error) => {
      if (error !== null && !this.#ended)
        setTimeout(() => this.#interruptElsewhere({ file, args }), RETRY_MS);
    });
  }

  #killNow(): void {
    this.#child.kill('SIGKILL');
    const { elsewhere } = this.#command;
    if (elsewhere === undefined) return;
    // It may be the last thing that this process does, so nobody waits for it.
    const { file, args } = elsewhere.kill;
    spawn(file, [...args], { detached: true, stdio: 'ignore', windowsHide: true })
      .on('error', () => {})
      .unref();
  }

  #end(): Promise<ProcessEnd> {
    return new Promise((resolve) => {
      const finish = (exitCode: number) => {
        this.#ended = true;
        clearTimeout(this.#kill);
        process.off('exit', this.#killAtExit);
        resolve({ exitCode, stdout: this.#stdout, stderr: this.#stderr, cpuMs: this.#cpu.stop() });
      };
      this.#child.once('error', (error) => {
        this.#stderr += `${error.message}\n`;
        finish(EXIT_CODES.generic);
      });
      // 'close' comes after all output has been read; a killed process has no exit code.
      this.#child.once('close', (code, signal) => {
        if (signal !== null) this.#stderr += `the engine was ended by ${signal}\n`;
        finish(code ?? (this.#kill === undefined ? EXIT_CODES.generic : EXIT_CODES.externalAbort));
      });
    });
  }
}
