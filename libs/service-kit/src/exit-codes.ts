/** Every exit code of a service process. The numbers from 64 on are those of BSD's sysexits.h. */
export const EXIT_CODES = {
  ok: { code: 0, meaning: 'Stopped when asked to, after draining.' },
  crashed: { code: 1, meaning: 'An unexpected error; the last log line holds it.' },
  usage: { code: 64, meaning: 'The command line holds an unknown flag or argument.' },
  portUnavailable: { code: 69, meaning: 'A port is in use or may not be opened; the message names it.' },
  config: { code: 78, meaning: 'Environment variables are missing or not allowed; every one is named.' },
} as const;
