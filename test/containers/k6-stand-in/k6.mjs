// Stands in for k6 inside its image: the built-in engine, which takes the same flags and ends with the same exit codes.
// It writes down how it was called. STAND_IN (given with -e) makes it end as k6 does where the built-in engine would not.
import { accessSync, constants, writeFileSync } from 'node:fs';

const [command, ...args] = process.argv.slice(2);
if (command === 'version') {
  process.stdout.write('k6 v2.2.0 (commit/abc, go1.25, linux/amd64)\n');
  process.exit(0);
}

function writable(folder) {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

const call = {
  args,
  uid: process.getuid(),
  gid: process.getgid(),
  scriptsWritable: writable('/scripts'),
  k6: Object.fromEntries(Object.entries(process.env).filter(([name]) => name.startsWith('K6_'))),
};
writeFileSync('/out/call.json', JSON.stringify(call));

const behaviour = args.find((arg) => arg.startsWith('STAND_IN='))?.slice('STAND_IN='.length);
if (behaviour === 'summary-denied') {
  // k6 only logs this and ends as if it had written its summary.
  process.stderr.write('level=error msg="open /out/summary-export.json: permission denied"\n');
  process.exit(0);
}
if (behaviour === 'points-denied') {
  process.stderr.write('level=error msg="could not open /out/points.ndjson: permission denied"\n');
  process.exit(255);
}
await import('./dist/main.js');
