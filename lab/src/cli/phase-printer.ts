import type { OnPhase, PhaseEvent } from '../stack/phases.js';
import type { Terminal } from './terminal.js';

/** Prints every phase with its time as it ends; on a terminal, what is going on now in between. */
export function phasePrinter(terminal: Terminal): OnPhase {
  const running: string[] = [];
  return (event) => {
    if (event.state === 'begin') running.push(event.name);
    else {
      running.splice(running.indexOf(event.name), 1);
      terminal.progress(phaseLine(event, terminal));
    }
    if (running.length > 0) terminal.redraw(terminal.paint('dim', `  ... ${running.join(', ')}`));
  };
}

function phaseLine(event: PhaseEvent, terminal: Terminal): string {
  const seconds = `${(event.elapsedMs / 1000).toFixed(1)} s`.padStart(7);
  const name = event.name.padEnd(14);
  const detail =
    event.state === 'failed' ? terminal.paint('red', 'failed') : terminal.paint('dim', event.detail);
  return `  ${name}${seconds}  ${detail}`.trimEnd();
}
