// A k6 script for a service of your own: ten users for twenty seconds, and what must hold.
import { check } from 'k6';
import http from 'k6/http';

export const options = {
  vus: Number(__ENV.USERS || 10),
  duration: __ENV.DURATION || '20s',
  thresholds: {
    http_req_failed: ['rate<0.01'],
    http_req_duration: ['p(95)<500'],
    checks: ['rate>0.99'],
  },
};

export default async function () {
  const res = await http.get(`${__ENV.BASE_URL}/`);
  check(res, { 'status is 200': (r) => r.status === 200 });
}
