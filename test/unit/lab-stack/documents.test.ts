import { DATASET } from '@bottleneck-lab/contracts';
import { describe, expect, it } from 'vitest';
import { generateDocuments } from '../../../lab/src/seed/documents.js';

const { utilization, packages } = generateDocuments(1);

describe('generateDocuments', () => {
  it('gives one document per owner and month in each kind', () => {
    const expected = DATASET.owners * DATASET.months;
    for (const documents of [utilization, packages]) {
      expect(documents).toHaveLength(expected);
      const keys = new Set(documents.map((one) => `${one.ownerId}/${one.year}/${one.month}`));
      expect(keys.size).toBe(expected);
    }
  });

  it('writes utilization documents of about 0.8 kB', () => {
    for (const document of utilization) {
      const bytes = Buffer.byteLength(JSON.stringify(document));
      expect(bytes).toBeGreaterThan(720);
      expect(bytes).toBeLessThan(880);
    }
  });

  it('gives every delivery its own id in the form of a UUID', () => {
    expect(new Set(utilization.map((one) => one.deliveryId)).size).toBe(utilization.length);
    for (const { id, deliveryId } of utilization.slice(0, 100)) {
      expect(deliveryId).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      expect(id).toBe(deliveryId);
    }
  });

  it('names package documents so that they can be read by id', () => {
    expect(packages.find((one) => one.ownerId === 'o000042' && one.month === 7)?.id).toBe('o000042-2019-07');
  });

  it('depends on the seed and on nothing else', () => {
    expect(generateDocuments(1)).toEqual({ utilization, packages });
    const other = generateDocuments(2);
    expect(other.utilization[0]?.deliveryId).not.toBe(utilization[0]?.deliveryId);
    expect(other.utilization[0]?.ownerId).toBe(utilization[0]?.ownerId);
  });
});
