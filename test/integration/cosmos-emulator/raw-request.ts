import { createHmac } from 'node:crypto';
import http from 'node:http';
import type { CosmosEmulator } from '@bottleneck-lab/cosmos-emulator';

export interface RawRequest {
  method?: string;
  path?: string;
  headers?: Record<string, string>;
  body?: string | Buffer;
}

export interface RawAnswer {
  status: number;
  headers: http.IncomingHttpHeaders;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of many shapes
  body: any;
}

/** Sends exactly what is given: for what the official client never sends. */
export function request(
  { endpoint }: Pick<CosmosEmulator, 'endpoint'>,
  { method = 'GET', path = '/', headers = {}, body }: RawRequest = {},
): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const outgoing = http.request(
      new URL(endpoint),
      { method, path, headers, agent: false },
      async (response) => {
        let text = '';
        try {
          for await (const chunk of response.setEncoding('utf8')) text += chunk;
        } catch (error) {
          reject(error);
        }
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text,
          body: text === '' ? undefined : JSON.parse(text),
        });
      },
    );
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

export interface Signature {
  method?: string;
  type?: string;
  link?: string;
  date?: Date;
  key?: string;
}

/** Headers of a request signed with the account key, by the documented recipe. */
export function signedHeaders(
  { key: accountKey }: Pick<CosmosEmulator, 'key'>,
  { method = 'get', type = '', link = '', date = new Date(), key = accountKey }: Signature = {},
): Record<string, string> {
  const time = date.toUTCString();
  const payload = `${method}\n${type}\n${link}\n${time.toLowerCase()}\n\n`;
  const signature = createHmac('sha256', Buffer.from(key, 'base64')).update(payload).digest('base64');
  return {
    authorization: encodeURIComponent(`type=master&ver=1.0&sig=${signature}`),
    'x-ms-date': time,
    'x-ms-version': '2020-07-15',
  };
}
