import type { ComposeStatus } from '../targets/compose/compose-status.js';
import { formatTable } from './table.js';

export function formatComposeStatus(status: ComposeStatus): string {
  const { project, state, gatewayUrl, seed, calibration, containers } = status;
  if (containers.length === 0) return `no containers of project ${project} are there`;
  const words = { running: 'running', stopped: 'stopped', partly: 'running in part' };
  const lines = [`project   ${project}, ${words[state]}, seed ${seed ?? 'unknown'}`];
  if (gatewayUrl !== null) lines.push(`gateway   ${gatewayUrl}`);
  if (state !== 'stopped')
    lines.push(
      calibration === null
        ? 'delivery  uncalibrated: its limit is a guess; "lab up --target compose" measures what it has to be here'
        : `delivery  saturates at ${calibration.ceilingRequestsPerSecond.toFixed(1)} requests/s with ${calibration.deliveryCpuLimitCores} cores`,
    );
  const rows = containers.map((one) => [
    one.service,
    one.container,
    one.running ? 'running' : `ended with ${one.exitCode}`,
    one.cpuLimitCores === null ? '' : `${one.cpuLimitCores} cores`,
    one.image,
  ]);
  return [...lines, '', formatTable(['service', 'container', 'state', 'limit', 'image'], rows)].join('\n');
}
