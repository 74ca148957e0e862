import { describe, expect, inject, it } from 'vitest';
import { inspect, mustDocker } from './docker.js';
import { IMAGE_NAMES } from './images.js';
import { describeContainers } from './lab.js';

/** Of what the project adds to its base image. */
const MOST_MEGABYTES = 40;
const NODE_ENTRY = '/app/dist/main.js';

describe('the Dockerfile', () => {
  const images = inject('images');
  it.skipIf(!images.available && images.failure === null)('builds every image', () => {
    expect(images.available ? null : images.failure).toBeNull();
  });
});

describeContainers('images', () => {
  describe.each(IMAGE_NAMES)('%s', (name) => {
    const tag = () => {
      const images = inject('images');
      if (!images.available) throw new Error(images.reason);
      return { tag: images.tags[name], base: images.base };
    };

    it(`adds at most ${MOST_MEGABYTES} MB to its base`, async () => {
      const size = await inspect<number>(tag().tag, '.Size');
      const base = await inspect<number>(tag().base, '.Size');
      const added = (size - base) / 1e6;
      expect(added).toBeGreaterThan(1);
      expect(added).toBeLessThanOrEqual(MOST_MEGABYTES);
    });

    it('starts Node itself, as a user that is a number and not root', async () => {
      const config = await inspect<{ User: string; Entrypoint: string[]; StopSignal: string }>(
        tag().tag,
        '.Config',
      );
      expect(config.User).toMatch(/^[1-9]\d*:[1-9]\d*$/);
      expect(config.Entrypoint[0]).toBe('node');
      expect(config.Entrypoint.at(-1)).toBe(NODE_ENTRY);
      expect(config.StopSignal).toBe('SIGTERM');
    });

    it('says what it is', async () => {
      const labels = await inspect<Record<string, string>>(tag().tag, '.Config.Labels');
      for (const label of ['title', 'version', 'licenses', 'revision', 'vendor']) {
        expect(labels[`org.opencontainers.image.${label}`]).toMatch(/\S/);
      }
    });

    it('holds its program and nothing of the build', async () => {
      const listing = await mustDocker('run', '--rm', '--entrypoint', 'ls', tag().tag, '-A', '/app');
      const expected = ['dist', 'healthcheck.js', 'package.json'];
      if (name === 'app-insights-emulator') expected.push('node_modules');
      expect(listing.split('\n').sort()).toEqual(expected.sort());
    });
  });

  it('check their health themselves, but for the one that ends', async () => {
    const images = inject('images');
    if (!images.available) throw new Error(images.reason);
    for (const name of IMAGE_NAMES) {
      const check = await inspect<{ Test: string[] } | null>(images.tags[name], '.Config.Healthcheck');
      if (name === 'seed') expect(check).toBeNull();
      else expect(check?.Test.slice(0, 3)).toEqual(['CMD', 'node', '/app/healthcheck.js']);
    }
  });
});
