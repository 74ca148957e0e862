import { SERVICE_NAMES, type ServiceName } from '@bottleneck-lab/contracts';
import type { EngineName } from '@bottleneck-lab/loadtests';
import { InvalidArgumentError } from 'commander';
import type { AttachOptions } from '../targets/attach-target.js';

/** A parser for a whole number within bounds, both included. */
export function wholeNumber(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!/^\d+$/.test(text) || value < min || value > max) {
      throw new InvalidArgumentError(`It must be a whole number from ${min} to ${max}.`);
    }
    return value;
  };
}

/** An http or https URL. */
export function httpUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new InvalidArgumentError('It must be an http or https URL, for example http://127.0.0.1:8081.');
  }
  return text.replace(/\/$/, '');
}

/** `USERS=20`, added to the variables given before. */
export function scriptVariable(text: string, known: Record<string, string>): Record<string, string> {
  const [, name, value] = /^([A-Za-z_]\w*)=(.*)$/s.exec(text) ?? [];
  if (name === undefined || value === undefined) {
    throw new InvalidArgumentError('It must be NAME=VALUE, for example USERS=20.');
  }
  return { ...known, [name]: value };
}

/** `delivery=http://127.0.0.1:9001`. */
export function statsUrl(text: string, previous: AttachOptions['statsUrls']): AttachOptions['statsUrls'] {
  const [name = '', url = ''] = text.split(/=(.*)/s);
  if (!(SERVICE_NAMES as string[]).includes(name)) {
    throw new InvalidArgumentError(`It must be <service>=<url> with one of ${SERVICE_NAMES.join(', ')}.`);
  }
  return [...previous, { name: name as ServiceName, url: httpUrl(url) }];
}

/** `builtin`, `k6`, `docker` or `docker=IMAGE`. Whether it can be used here is asked when it is needed. */
export function engineName(text: string): EngineName {
  if (/^(builtin|k6|docker(=[\w.][\w./:@-]*)?)$/.test(text)) return text as EngineName;
  throw new InvalidArgumentError('It must be builtin, k6, docker or docker=IMAGE.');
}
