import { describe, expect, it } from 'vitest';
import { readTraceHeaders, traceIdOf } from '../../../libs/service-kit/src/http/trace-context.js';

const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

describe('readTraceHeaders', () => {
  it('keeps the three headers as they came', () => {
    const headers = { traceparent, tracestate: 'a=1,b=2', baggage: 'lab.run=r1,lab.step=3' };
    expect(readTraceHeaders({ ...headers, accept: '*/*' })).toEqual(headers);
    expect(traceIdOf(headers)).toBe('0af7651916cd43dd8448eb211c80319c');
  });

  it.each([
    ['all-zero trace id', `00-${'0'.repeat(32)}-b7ad6b7169203331-01`],
    ['all-zero parent id', `00-0af7651916cd43dd8448eb211c80319c-${'0'.repeat(16)}-01`],
    ['version ff', traceparent.replace(/^00/, 'ff')],
    ['upper case', traceparent.toUpperCase()],
    ['too short', traceparent.slice(0, 50)],
    ['empty', ''],
  ])('drops traceparent and tracestate for %s', (_why, bad) => {
    expect(readTraceHeaders({ traceparent: bad, tracestate: 'a=1', baggage: 'k=v' })).toEqual({
      baggage: 'k=v',
    });
  });

  it('drops what is longer than the specifications allow for', () => {
    const headers = { traceparent, tracestate: 'a'.repeat(513), baggage: 'b'.repeat(8_193) };
    expect(readTraceHeaders(headers)).toEqual({ traceparent });
  });
});
