import { useStore } from '../store.js';
import { zoom } from './zoom.js';

/** The zoom by keyboard; by pointer, a range is dragged in any chart. */
export function ZoomBar({ seconds }: { seconds: number }) {
  const shown = useStore(zoom) ?? { min: 0, max: seconds };
  const change = (part: Partial<typeof shown>) => {
    const next = { ...shown, ...part };
    if (next.max - next.min >= 2) zoom.set(next);
  };
  return (
    <div class="zoom">
      <label>
        Seconds from{' '}
        <input
          type="number"
          min={0}
          max={seconds}
          value={shown.min}
          onChange={(event) => change({ min: Number(event.currentTarget.value) })}
        />
      </label>
      <label>
        to{' '}
        <input
          type="number"
          min={0}
          max={seconds}
          value={shown.max}
          onChange={(event) => change({ max: Number(event.currentTarget.value) })}
        />
      </label>
      <button type="button" disabled={zoom.get() === null} onClick={() => zoom.set(null)}>
        Whole load
      </button>
      <span class="hint">Drag in a chart to zoom; a double click shows the whole load.</span>
    </div>
  );
}
