import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { type CommandResult, runCommand } from './script-command.js';
import { type Answer, closedAddress, startTarget } from './target-server.js';

/** One iteration whose body may use http, check and URL; what it logs is what the test looks at. */
async function iterate(body: string, { answer, head = '' }: { answer?: Answer; head?: string } = {}) {
  await using target = await startTarget(answer ?? echo);
  const result = await runCommand(
    `import http from 'k6/http';
     import { check, sleep } from 'k6';
     const URL_ = __ENV.TARGET;
     ${head}
     export default async function () { ${body} }`,
    { flags: ['-e', `TARGET=${target.url}`, '--quiet'] },
  );
  return { ...result, seen: target.seen, logged: loggedBy(result) };
}

function loggedBy({ stderr }: CommandResult): string[] {
  return [...stderr.matchAll(/^INFO\[\d+\] (.*) source=console$/gm)].map((match) => match[1] as string);
}

const echo: Answer = ({ method, headers, body }, response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'x-request-id': 'abc' });
  response.end(
    JSON.stringify({ method, body, type: headers['content-type'] ?? null, agent: headers['user-agent'] }),
  );
};

describe('requests', () => {
  test('every verb sends its method and body', async () => {
    const { seen, logged } = await iterate(`
      await http.get(URL_); await http.head(URL_); await http.post(URL_, 'text'); await http.put(URL_, JSON.stringify({ a: 1 }), { headers: { 'Content-Type': 'application/json' } });
      await http.patch(URL_, { a: 1, b: ['x y', 'z'] }); await http.del(URL_); await http.options(URL_);
      const res = await http.request('post', URL_, new Uint8Array([104, 105]).buffer);
      console.log(res.status, res.json().body, res.json('method'));`);
    expect(seen.map(({ method, body }) => [method, body])).toEqual([
      ['GET', ''],
      ['HEAD', ''],
      ['POST', 'text'],
      ['PUT', '{"a":1}'],
      ['PATCH', 'a=1&b=x+y&b=z'],
      ['DELETE', ''],
      ['OPTIONS', ''],
      ['POST', 'hi'],
    ]);
    expect(seen[4]?.headers['content-type']).toBe('application/x-www-form-urlencoded');
    expect(seen[3]?.headers['content-type']).toBe('application/json');
    expect(seen[0]?.headers['user-agent']).toMatch(/^bottleneck-lab-load/);
    expect(seen[0]?.headers['accept-encoding']).toBeUndefined();
    expect(logged).toEqual(['200 hi POST']);
  });

  test('asynchronous ones run at the same time', async () => {
    let open = 0;
    let most = 0;
    const answer: Answer = (_request, response) => {
      open += 1;
      most = Math.max(most, open);
      setTimeout(() => {
        open -= 1;
        response.end('ok');
      }, 50);
    };
    const { logged } = await iterate(
      `const all = await Promise.all([1, 2, 3].map(() => http.asyncRequest('GET', URL_)));
       console.log(all.map((r) => r.body).join());`,
      { answer },
    );
    expect(logged).toEqual(['ok,ok,ok']);
    expect(most).toBe(3);
  });

  test('those that k6 waits for run one after the other, even when they are not awaited one by one', async () => {
    let open = 0;
    let most = 0;
    const answer: Answer = ({ url }, response) => {
      open += 1;
      most = Math.max(most, open);
      setTimeout(() => {
        open -= 1;
        response.end(url.pathname);
      }, 20);
    };
    const { logged, seen } = await iterate(
      `const began = Date.now();
       const all = await Promise.all([http.get(URL_ + '/1'), http.get(URL_ + '/2'), sleep(0.1), http.get(URL_ + '/3')]);
       console.log(all[0].body, all[3].body, Date.now() - began >= 150);`,
      { answer },
    );
    expect(logged).toEqual(['/1 /3 true']);
    expect(seen.map(({ url }) => url.pathname)).toEqual(['/1', '/2', '/3']);
    expect(most).toBe(1);
  });

  test('a batch keeps the shape of its argument and at most six requests per host', async () => {
    let open = 0;
    let most = 0;
    const answer: Answer = ({ method, url }, response) => {
      open += 1;
      most = Math.max(most, open);
      setTimeout(() => {
        open -= 1;
        response.end(`${method} ${url.pathname}`);
      }, 30);
    };
    const { logged, seen } = await iterate(
      `const list = await http.batch([URL_ + '/a', ['POST', URL_ + '/b', 'x'], { method: 'PUT', url: URL_ + '/c', params: { tags: { t: '1' } } }]);
       console.log(list.map((r) => r.body).join());
       const named = await http.batch({ one: URL_ + '/d', two: ['GET', URL_ + '/e'] });
       console.log(named.one.body, named.two.body);
       await http.batch(Array.from({ length: 12 }, () => URL_ + '/f'));`,
      { answer },
    );
    expect(logged).toEqual(['GET /a,POST /b,PUT /c', 'GET /d GET /e']);
    expect(seen).toHaveLength(17);
    expect(most).toBe(6);
  });

  test('redirects are followed, each answer is a sample', async () => {
    const answer: Answer = ({ url }, response) => {
      const left = Number(url.pathname.slice(1));
      if (left > 0) response.writeHead(302, { location: `/${left - 1}` });
      response.end('there');
    };
    const { logged, metrics } = await iterate(
      `const r = await http.get(URL_ + '/2'); console.log(r.status, r.body, r.url.endsWith('/0'));
       const stay = await http.get(URL_ + '/1', { redirects: 0 }); console.log(stay.status, stay.headers['Location']);`,
      { answer },
    );
    expect(logged).toEqual(['200 there true', '302 /0']);
    expect(metrics.http_reqs?.count).toBe(4);
  });

  test('a script that forgets to await is told so, and the test ends', async () => {
    const result = await iterate(`const res = http.get(URL_); check(res, { ok: (r) => r.status === 200 });`);
    expect(result.exitCode).toBe(107);
    expect(result.stderr).toContain("http.get() must be awaited: write 'await http.get(...)'");
    const later = await iterate(`const res = http.get(URL_); if (res.status === 200) console.log('never');`);
    expect(later.exitCode).toBe(107);
    expect(later.logged).toEqual([]);
  });

  test.each([
    [
      "await http.get(URL_, { cookies: { a: '1' } });",
      'params.cookies is not supported by the built-in engine',
    ],
    ["await http.get(URL_, { auth: 'digest' });", 'params.auth is not supported'],
    ["await http.get(URL_, { timeout: 'soon' });", 'params.timeout must be a duration'],
    [
      "await http.get(URL_, { responseType: 'json' });",
      'params.responseType must be one of text, binary, none',
    ],
    ['await http.get(URL_, { headers: { a: {} } });', 'params.headers.a must be text'],
    ["await http.get('not a url', { throw: true });", "invalid URL 'not a url'"],
  ])('%s is an error of the iteration', async (body, message) => {
    const result = await iterate(body);
    expect(result.stderr).toContain(message);
    expect(result.exitCode).toBe(0);
    expect(result.seen).toEqual([]);
  });

  test('are not possible while the script is being loaded', async () => {
    const result = await runCommand(
      "import http from 'k6/http';\nconst r = http.get('http://127.0.0.1:1/');\nr.catch((e) => { console.log(e.message); });\nexport default function () {}",
    );
    expect(result.stderr).toContain('making http requests is not possible while the script is being loaded');
  });
});

describe('responses', () => {
  test('have canonical header names, texts, JSON and parts of it', async () => {
    const answer: Answer = (_request, response) => {
      response.setHeader('x-queue', 'q1');
      response.setHeader('set-cookie', ['a=1', 'b=2']);
      response.statusCode = 201;
      response.end('{"items":[{"id":7},{"id":8}],"a.b":1}');
    };
    const { logged } = await iterate(
      `const r = await http.get(URL_);
       console.log(r.status_text, r.headers['X-Queue'], r.headers['Set-Cookie'], r.proto);
       console.log(r.json('items.1.id'), r.json('items.#'), r.json('items.9.id'), r.json().items.length);
       try { r.json('items.#.id|@reverse'); } catch (e) { console.log(e.message); }
       const t = r.timings; console.log(t.duration >= t.waiting, t.connecting > 0, t.tls_handshaking);
       console.log((await http.get(URL_)).timings.connecting);`,
      { answer },
    );
    expect(logged).toEqual([
      '201 Created q1 a=1, b=2 HTTP/1.1',
      '8 2 undefined 2',
      "json('items.#.id|@reverse'): only dotted paths like 'items.0.id' are supported by the built-in engine",
      'true true 0',
      '0',
    ]);
  });

  test('are decompressed, and given as text, bytes or not at all', async () => {
    const answer: Answer = (_request, response) => {
      response.setHeader('content-encoding', 'gzip');
      response.end(gzipSync('häuser'));
    };
    const { logged } = await iterate(
      `console.log((await http.get(URL_)).body);
       console.log((await http.get(URL_, { responseType: 'binary' })).body.byteLength);
       console.log((await http.get(URL_, { responseType: 'none' })).body);`,
      { answer },
    );
    expect(logged).toEqual(['häuser', '7', 'null']);
  });

  test('bodies can be discarded for the whole test', async () => {
    const { logged } = await iterate(
      "console.log((await http.get(URL_)).body, (await http.get(URL_, { responseType: 'text' })).body.length > 0);",
      { head: 'export const options = { discardResponseBodies: true };' },
    );
    expect(logged).toEqual(['null true']);
  });

  test.each([
    [
      'a refused connection',
      async () => closedAddress(),
      1212,
      /dial tcp 127\.0\.0\.1:\d+: connect: connection refused/,
    ],
    ['an unknown host', async () => 'http://nowhere.invalid', 1101, /lookup nowhere\.invalid: no such host/],
  ])('%s is no exception: status 0, an error code and a sample', async (_name, address, code, message) => {
    const result = await runCommand(
      `import http from 'k6/http';
       export default async function () { const r = await http.get(__ENV.TARGET); console.log(r.status, r.body, r.error_code, r.error); try { r.json(); } catch (e) { console.log('no json'); } }`,
      { flags: ['-e', `TARGET=${await address()}`] },
    );
    expect(result.exitCode).toBe(0);
    expect(loggedBy(result)[0]).toMatch(new RegExp(`^0 null ${code} ${message.source}`));
    expect(loggedBy(result)[1]).toBe('no json');
    expect(result.metrics.http_req_failed?.value).toBe(1);
    expect(result.points.find(({ metric }) => metric === 'http_reqs')?.data.tags).toMatchObject({
      status: '0',
      error_code: String(code),
      expected_response: 'false',
    });
  });

  test('one that takes too long ends at its timeout, which includes connecting', async () => {
    const result = await iterate(
      "const r = await http.get(URL_, { timeout: '100ms' }); console.log(r.status, r.error_code, r.error, r.timings.blocked + r.timings.connecting + r.timings.duration > 99); console.log((await http.get(URL_ + '/fast')).status);",
      { answer: ({ url }, response) => void (url.pathname === '/fast' && response.end()) },
    );
    expect(result.logged[0]).toBe('0 1050 request timeout true');
    expect(result.logged[1]).toBe('200');
  });

  test('a connection that breaks is an error', async () => {
    const { logged } = await iterate(
      'const r = await http.post(URL_, "x"); console.log(r.status, r.error_code > 999);',
      {
        answer: (_request, response) => response.destroy(),
      },
    );
    expect(logged).toEqual(['0 true']);
  });
});

describe('connections', () => {
  test('each user has its own and keeps it', async () => {
    await using target = await startTarget();
    await runCommand(
      "import http from 'k6/http';\nexport const options = { scenarios: { a: { executor: 'per-vu-iterations', vus: 3, iterations: 4 } } };\nexport default async function () { await http.get(__ENV.TARGET); }",
      { flags: ['-e', `TARGET=${target.url}`] },
    );
    const perConnection = new Map<number, number>();
    for (const { connection } of target.seen)
      perConnection.set(connection, (perConnection.get(connection) ?? 0) + 1);
    expect([...perConnection.values()]).toEqual([4, 4, 4]);
  });

  test('one that the server has closed meanwhile is replaced without an error', async () => {
    const answer: Answer = (_request, response) => {
      response.end('ok', () => setTimeout(() => response.socket?.destroy(), 5));
    };
    const result = await iterate('for (let i = 0; i < 5; i++) { await http.get(URL_); await sleep(0.03); }', {
      answer,
    });
    expect(result.metrics.http_req_failed?.value).toBe(0);
    expect(result.seen).toHaveLength(5);
  });
});

describe('samples', () => {
  test('carry the tags of k6, and all parts of a request', async () => {
    const { points, metrics } = await iterate(
      // biome-ignore lint/suspicious/noTemplateCurlyInString: the placeholders belong to the script
      "await http.get(URL_ + '/x?id=1', { tags: { name: 'GET /x', kind: 'read' } }); await http.get(http.url`${URL_}/y/${7}`);",
    );
    const [first, second] = points
      .filter(({ metric }) => metric === 'http_req_duration')
      .map(({ data }) => data.tags);
    expect(first).toEqual({
      expected_response: 'true',
      group: '',
      kind: 'read',
      method: 'GET',
      name: 'GET /x',
      proto: 'HTTP/1.1',
      scenario: 'default',
      status: '200',
      url: 'GET /x',
    });
    // biome-ignore lint/suspicious/noTemplateCurlyInString: this is how k6 names the placeholders of such a URL
    expect(second).toMatchObject({ name: '${}/y/${}', url: '${}/y/${}' });
    for (const part of [
      'blocked',
      'connecting',
      'tls_handshaking',
      'sending',
      'waiting',
      'receiving',
      'duration',
    ]) {
      expect(points.filter(({ metric }) => metric === `http_req_${part}`)).toHaveLength(2);
    }
    expect(metrics['http_req_duration{expected_response:true}']).toBeDefined();
    expect(metrics.data_sent?.count).toBeGreaterThan(100);
    expect(metrics.data_received?.count).toBeGreaterThan(100);
  });

  test('a status that the script expects has not failed', async () => {
    const answer: Answer = (_request, response) => {
      response.statusCode = 404;
      response.end();
    };
    const { points } = await iterate(
      `await http.get(URL_);
       await http.get(URL_, { responseCallback: http.expectedStatuses(404) });
       await http.get(URL_, { responseCallback: http.expectedStatuses({ min: 200, max: 299 }) });
       await http.get(URL_, { responseCallback: null });
       http.setResponseCallback(http.expectedStatuses(404)); await http.get(URL_);`,
      { answer },
    );
    expect(points.filter(({ metric }) => metric === 'http_req_failed').map(({ data }) => data.value)).toEqual(
      [1, 0, 1, 0],
    );
    expect(points.find(({ metric }) => metric === 'http_reqs')?.data.tags).toMatchObject({
      status: '404',
      error_code: '1404',
    });
  });

  test('a request in flight at a hard stop is counted nowhere', async () => {
    const result = await iterate('await http.get(URL_); console.log("never");', {
      head: "export const options = { scenarios: { a: { executor: 'constant-vus', vus: 2, duration: '1s', gracefulStop: '0s' } } };",
      answer: () => {},
    });
    expect(result.seen).toHaveLength(2);
    expect(result.metrics.http_reqs).toBeUndefined();
    expect(result.metrics.iterations).toBeUndefined();
    expect(result.logged).toEqual([]);
    expect(result.stdout).toContain('0 complete and 2 interrupted iterations');
  });
});
