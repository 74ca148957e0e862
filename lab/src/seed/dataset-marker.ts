import type { Container } from '@azure/cosmos';
import { DATASET_VERSION } from './documents.js';

/**
 * A document beside the data that says who wrote it. Written before the first document, so that a seeding that
 * broke off is recognised and repeated, and completed after the last.
 */
export interface DatasetMarker {
  id: 'bottleneck-lab-dataset';
  /** The partition key of the container it lives in; no owner has this id. */
  ownerId: 'bottleneck-lab';
  type: 'Dataset';
  state: 'writing' | 'complete';
  version: number;
  seed: number;
}

const KEY = { id: 'bottleneck-lab-dataset', ownerId: 'bottleneck-lab' } as const;

export async function readMarker(packages: Container): Promise<DatasetMarker | null> {
  const { resource } = await packages.item(KEY.id, KEY.ownerId).read<DatasetMarker>();
  return resource ?? null;
}

export async function writeMarker(
  packages: Container,
  marker: Pick<DatasetMarker, 'state' | 'seed'>,
): Promise<void> {
  await packages.items.upsert<DatasetMarker>({
    ...KEY,
    type: 'Dataset',
    version: DATASET_VERSION,
    ...marker,
  });
}

export function isCurrent(marker: DatasetMarker | null, seed: number): boolean {
  return marker?.state === 'complete' && marker.version === DATASET_VERSION && marker.seed === seed;
}
