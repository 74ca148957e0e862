import os from 'node:os';
import type { Machine } from '../recording/index.js';

export function describeMachine(): Machine {
  return {
    cpuModel: os.cpus()[0]?.model.trim() ?? 'unknown',
    cores: os.availableParallelism(),
    memoryBytes: os.totalmem(),
    os: `${os.type()} ${os.release()} ${os.arch()}`,
    node: process.version,
  };
}
