import { peersOf, processIdentity } from './process/identity.js';
import { isTelemetryOn, readSettings, TelemetrySettingsError } from './settings.js';

/**
 * Loaded before an application: `node --import @bottleneck-lab/telemetry/register main.js`. Without a receiver in the environment
 * nothing else is loaded.
 */
const CONFIGURATION_ERROR = 78;

if (isTelemetryOn(process.env)) {
  try {
    const settings = readSettings(process.env, processIdentity(), peersOf(process.env));
    const { startTelemetry } = await import('./start.js');
    await startTelemetry(settings);
  } catch (error) {
    if (!(error instanceof TelemetrySettingsError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(CONFIGURATION_ERROR);
  }
}
