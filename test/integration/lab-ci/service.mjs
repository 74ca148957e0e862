// A service on the port in PORT: DELAY_MS and CHARGE as arguments, FAIL_EVERY as the third.
import http from 'node:http';

const [delayMs = 5, charge = 3, failEvery = 0] = process.argv.slice(2).map(Number);
let answered = 0;
http
  .createServer((request, response) => {
    setTimeout(() => {
      const failed = request.url !== '/' && failEvery > 0 && ++answered % failEvery === 0;
      response.writeHead(failed ? 500 : 200, { 'x-request-charge': String(charge) });
      response.end('{}');
    }, delayMs);
  })
  .listen(Number(process.env.PORT), '127.0.0.1');
