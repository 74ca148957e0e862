// @vercel/cosmosdb-server on a free port. Argument: the folder where it is installed.
import { createRequire } from 'node:module';
import path from 'node:path';
import { announce } from './meter.js';

const require = createRequire(path.join(String(process.argv[2]), 'index.js'));
const { createHttpServer } = require('@vercel/cosmosdb-server');
const server = createHttpServer();
server.listen(0, '127.0.0.1', () => announce({ port: server.address().port }));
