import {
  DATASET,
  ownerIdOf,
  type PackagesDocument,
  packagesDocumentId,
  type UtilizationDocument,
} from '@bottleneck-lab/contracts';
import { seededRandom } from './random.js';

/** Raise it when the documents of one seed change, so that an account seeded by an older lab is written anew. */
export const DATASET_VERSION = 1;

export interface Documents {
  utilization: UtilizationDocument[];
  packages: PackagesDocument[];
}

/** Length of the flight notes: it brings a utilization document to about 0.8 kB, the size of the original's. */
const NOTES_LENGTH = 560;

const NOTE_SENTENCES = [
  'Battery swapped at the depot after the second leg.',
  'Crosswind above the harbour; speed reduced on the way out.',
  'Held five minutes for a crossing helicopter.',
  'Parcel handed over at the roof terrace.',
  'Returned with a damp sensor, dried and checked.',
  'Route moved north around the stadium.',
  'Landing light replaced before the night shift.',
  'Recipient absent; delivered to the neighbour on file.',
] as const;

/** One document per owner and month in each kind; the seed alone determines every field. */
export function generateDocuments(seed: number): Documents {
  const random = seededRandom(seed);
  const documents: Documents = { utilization: [], packages: [] };
  for (let owner = 0; owner < DATASET.owners; owner += 1) {
    for (let month = 1; month <= DATASET.months; month += 1) {
      const key = { ownerId: ownerIdOf(owner), year: DATASET.year, month };
      documents.utilization.push(utilizationDocument(key, random));
      documents.packages.push(packagesDocument(key, random));
    }
  }
  return documents;
}

type OwnerMonthKey = Pick<UtilizationDocument, 'ownerId' | 'year' | 'month'>;

function utilizationDocument(key: OwnerMonthKey, random: () => number): UtilizationDocument {
  const deliveryId = uuid(random);
  const flights = 20 + Math.floor(random() * 180);
  return {
    id: deliveryId,
    deliveryId,
    type: 'DroneUtilization',
    ...key,
    traveledMiles: round(flights * (1.5 + random() * 6), 2),
    assignedHours: round(flights * (0.2 + random() * 0.5), 2),
    notes: flightNotes(random),
  };
}

function packagesDocument(key: OwnerMonthKey, random: () => number): PackagesDocument {
  const count = 20 + Math.floor(random() * 180);
  return {
    id: packagesDocumentId(key),
    type: 'Packages',
    ...key,
    count,
    totalWeight: round(count * (0.3 + random() * 2), 3),
  };
}

function flightNotes(random: () => number): string {
  let notes = '';
  while (notes.length < NOTES_LENGTH) {
    const sentence = NOTE_SENTENCES[Math.floor(random() * NOTE_SENTENCES.length)];
    notes += `${notes === '' ? '' : ' '}${sentence}`;
  }
  return notes.slice(0, NOTES_LENGTH).trimEnd();
}

/** Random UUID in the form of version 4. */
function uuid(random: () => number): string {
  const hex = Array.from({ length: 32 }, () => Math.floor(random() * 16));
  hex[12] = 4;
  hex[16] = 8 + ((hex[16] as number) & 3);
  const text = hex.map((digit) => digit.toString(16)).join('');
  return `${text.slice(0, 8)}-${text.slice(8, 12)}-${text.slice(12, 16)}-${text.slice(16, 20)}-${text.slice(20)}`;
}

function round(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}
