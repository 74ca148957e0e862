import { describe, expect, it } from 'vitest';
import { ChargedCpu } from '../../../libs/service-kit/src/cpu/charged-cpu.js';
import { CoreSpeed } from '../../../libs/service-kit/src/cpu/core-speed.js';
import { referenceWork } from '../../../libs/service-kit/src/cpu/reference-work.js';

/** A core on which the reference work takes as long as `workMs` says. */
function simulatedCore() {
  let nowMs = 0;
  const core = { workMs: 0.1, samples: 0 };
  const speed = new CoreSpeed({
    nowMs: () => nowMs,
    work() {
      nowMs += core.workMs;
      core.samples += 1;
    },
  });
  const run = (ms: number) => {
    for (let passed = 0; passed < ms; passed += 5) {
      nowMs += 5;
      speed.sample();
    }
  };
  return { core, speed, run };
}

describe('core speed', () => {
  it('is 1 before anything was measured, and on a core that is always as fast', () => {
    const { speed, run } = simulatedCore();
    expect(speed.factor).toBe(1);
    run(1_000);
    expect(speed.factor).toBeCloseTo(1, 6);
  });

  it('follows a core whose other thread becomes busy, and back', () => {
    const { core, speed, run } = simulatedCore();
    run(1_000);
    core.workMs = 0.16;
    run(1_000);
    expect(speed.factor).toBeCloseTo(0.1 / 0.16, 1);
    core.workMs = 0.1;
    run(1_000);
    expect(speed.factor).toBeGreaterThan(0.98);
  });

  it('does not take a pause of the thread for a slow core', () => {
    const { core, speed, run } = simulatedCore();
    run(1_000);
    core.workMs = 300;
    run(20);
    expect(speed.factor).toBeGreaterThan(0.85);
  });

  it('forgets how slow the work was before it was compiled', () => {
    const { core, speed, run } = simulatedCore();
    core.workMs = 8;
    run(20);
    core.workMs = 0.1;
    run(1_000);
    expect(speed.factor).toBeGreaterThan(0.98);
  });

  it('measures at most every 20 ms', () => {
    const { core, run } = simulatedCore();
    run(2_000);
    expect(core.samples).toBeLessThanOrEqual(100);
    expect(core.samples).toBeGreaterThan(60);
  });
});

describe('charged CPU', () => {
  it('counts time on a slow core for less, each stretch at the speed it had', () => {
    const speed = { factor: 1, sample() {} };
    let usedMs = 500;
    const cpu = new ChargedCpu(speed, () => usedMs);
    usedMs += 100;
    expect(cpu.ms()).toBeCloseTo(100);
    speed.factor = 0.5;
    usedMs += 100;
    expect(cpu.ms()).toBeCloseTo(150);
    expect(cpu.ms()).toBeCloseTo(150);
  });

  it('never counts more than was used', () => {
    const cpu = new ChargedCpu();
    const before = process.cpuUsage();
    let sum = 0;
    for (let i = 0; i < 2_000; i += 1) {
      sum += referenceWork();
      cpu.sample();
    }
    const { user, system } = process.cpuUsage(before);
    expect(sum).toBeGreaterThan(0);
    const charged = cpu.ms();
    expect(charged).toBeGreaterThan(0);
    expect(charged).toBeLessThanOrEqual((user + system) / 1_000 + 5);
  });
});

it('the reference work is the same every time', () => {
  expect(referenceWork()).toBe(referenceWork());
  expect(Number.isFinite(referenceWork())).toBe(true);
});
