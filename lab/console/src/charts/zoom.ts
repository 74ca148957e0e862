import { createStore } from '../store.js';

/** The part of the load that all charts show; null: the whole. */
export interface Zoom {
  min: number;
  max: number;
}
export const zoom = createStore<Zoom | null>(null);
