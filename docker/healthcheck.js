// `node healthcheck.js PORT_OR_VARIABLE PATH`: exit code 0 when the container's own program answers with 200.
import http from 'node:http';

const [portOrVariable = '', path = '/'] = process.argv.slice(2);
const port = process.env[portOrVariable] ?? portOrVariable;
const fail = (reason) => {
  console.error(reason);
  process.exit(1);
};

http
  .get({ host: '127.0.0.1', port, path, timeout: 4_000 }, (response) => {
    if (response.statusCode === 200) process.exit(0);
    // The answer says which condition does not hold.
    response.setEncoding('utf8').on('data', (text) => console.error(text.trim()));
    response.on('end', () => fail(`${path} answered ${response.statusCode}`));
  })
  .on('timeout', () => fail(`${path} did not answer in time`))
  .on('error', (error) => fail(error.message));
