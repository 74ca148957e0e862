import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const METER = new URL('./processes/meter.js', import.meta.url).href;
const STOP_GRACE_MS = 5_000;

/** @typedef {{ cpuMs: number, answered: number }} Reading */

/** A measured process: forked with the meter, stopped by message, killed if that does not help. */
export class Child {
  #name;
  #process;
  #exited;
  #errors = '';
  /** @type {Promise<any>} */
  #listening;

  /**
   * @param {string | URL} entry
   * @param {{ args?: string[], env?: Record<string, string>, imports?: string[], nodeFlags?: string[] }} [options]
   */
  constructor(entry, { args = [], env = {}, imports = [], nodeFlags = [] } = {}) {
    const file = typeof entry === 'string' ? entry : fileURLToPath(entry);
    this.#name = file;
    this.#process = fork(file, args, {
      env: { ...process.env, ...env },
      execArgv: [...nodeFlags, ...[METER, ...imports].flatMap((url) => ['--import', url])],
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    this.#exited = new Promise((resolve) => this.#process.once('exit', resolve));
    this.#process.stderr?.setEncoding('utf8').on('data', (text) => {
      this.#errors = (this.#errors + text).slice(-4_000);
    });
    this.#listening = this.#next('listening');
    // Whoever awaits it later is told; until then a failure must not count as unhandled.
    this.#listening.catch(() => {});
  }

  /** Its first message; for servers with the port. @returns {Promise<any>} */
  listening() {
    return this.#listening;
  }

  /** Sends a message and waits for the answer of that type. @param {object} message @param {string} [answer] @returns {Promise<any>} */
  ask(message, answer = 'done') {
    const answered = this.#next(answer);
    this.#process.send(/** @type {import('node:child_process').Serializable} */ (message));
    return answered;
  }

  /** Waits for a result that was not asked for. @returns {Promise<any>} */
  result() {
    return this.#next('done');
  }

  /** CPU time of the process so far. @returns {Promise<Reading>} */
  read() {
    return this.ask({ type: 'bench:read' }, 'bench:reading');
  }

  async stop() {
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return;
    const kill = setTimeout(() => this.#process.kill('SIGKILL'), STOP_GRACE_MS);
    if (this.#process.connected) this.#process.send({ type: 'shutdown' });
    await this.#exited;
    clearTimeout(kill);
  }

  /** @param {string} type @returns {Promise<any>} */
  #next(type) {
    return new Promise((resolve, reject) => {
      const settle = () => {
        this.#process.off('message', onMessage).off('exit', onExit);
      };
      const onMessage = (/** @type {any} */ message) => {
        if (message?.type === 'failed') reject(new Error(`${this.#name}: ${message.message}`));
        else if (message?.type === type) resolve(message);
        else return;
        settle();
      };
      const onExit = (/** @type {number | null} */ code) => {
        settle();
        reject(new Error(`${this.#name} ended with ${code} before '${type}'\n${this.#errors}`));
      };
      this.#process.on('message', onMessage).once('exit', onExit);
    });
  }
}

/** The processes of one benchmark, which all end with it. */
export class Children {
  /** @type {Child[]} */
  #all = [];

  /** @param {ConstructorParameters<typeof Child>} args */
  start(...args) {
    const child = new Child(...args);
    this.#all.push(child);
    return child;
  }

  async stop() {
    await Promise.all(this.#all.map((child) => child.stop()));
  }
}

/** Runs `use` with processes that end when it does. @template T @param {(children: Children) => Promise<T>} use */
export async function withChildren(use) {
  const children = new Children();
  try {
    return await use(children);
  } finally {
    await children.stop();
  }
}
