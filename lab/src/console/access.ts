import { timingSafeEqual } from 'node:crypto';
import type http from 'node:http';
import { ConsoleError } from './errors.js';

/** Who may come in at a listener, and with what rights. */
export interface Access {
  readOnly: boolean;
  /** Throws HOST_REFUSED or TOKEN_REQUIRED. Returns a cookie to set, when the token came in the address. */
  admit(request: http.IncomingMessage, url: URL): string | null;
}

const COOKIE = 'lab_console_token';

/**
 * For whoever started the console: only under a loopback name, so that no other site's name can be pointed here,
 * and writes only from the page itself.
 */
export function ownerAccess(): Access {
  return {
    readOnly: false,
    admit({ headers, method }) {
      const host = headers.host ?? '';
      if (!/^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/i.test(host)) {
        throw new ConsoleError(
          'HOST_REFUSED',
          `"${host}" is no loopback name; open the address that was printed`,
        );
      }
      const { origin } = headers;
      if (method !== 'GET' && origin !== undefined && origin !== `http://${host}`) {
        throw new ConsoleError('HOST_REFUSED', `the request came from ${origin}, not from this console`);
      }
      return null;
    },
  };
}

/** For a room: whoever has the token, which the address carries once and a cookie afterwards. */
export function roomAccess(token: string): Access {
  return {
    readOnly: true,
    admit({ headers }, url) {
      const given = url.searchParams.get('token');
      if (given !== null && isSame(given, token)) {
        return `${COOKIE}=${token}; HttpOnly; SameSite=Strict; Path=/`;
      }
      const bearer = /^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1];
      const cookie = new RegExp(`(?:^|; )${COOKIE}=([^;]+)`).exec(headers.cookie ?? '')?.[1];
      if ([bearer, cookie].some((one) => one !== undefined && isSame(one, token))) return null;
      throw new ConsoleError(
        'TOKEN_REQUIRED',
        'add ?token=... to the address, as it was printed where the console was started',
      );
    },
  };
}

function isSame(given: string, wanted: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(wanted)];
  return a.length === b.length && timingSafeEqual(a, b);
}
