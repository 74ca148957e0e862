import { withChildren } from './child.js';
import { closedLoopInTurns } from './closed-loop.js';
import {
  DOCUMENTS,
  expectOneDocumentEach,
  seedAccount,
  startStandIn,
  targetedQueries,
} from './cosmos-account.js';
import { installPeer } from './peer.js';
import { measured, ratio } from './result.js';

const PEER = '@vercel/cosmosdb-server@1.0.1';

/** @type {import('./result.js').Benchmark} */
export const queryThroughput = {
  name: 'query-throughput',
  about: `targeted queries a second over raw HTTP, ${DOCUMENTS} documents, against ${PEER}`,
  async run({ peers, progress }) {
    if (!peers) {
      const skipped = `${PEER} is not part of this project; with --peers it is installed into a temporary folder`;
      return { measured: [], findings: [], skipped };
    }
    progress(`installing ${PEER}`);
    const peer = await installPeer(PEER).catch((/** @type {Error} */ error) => error);
    if (peer instanceof Error) {
      const reason = peer.message.split('\n').slice(0, 3).join(' ');
      return { measured: [], findings: [], skipped: `${PEER} could not be installed: ${reason}` };
    }
    try {
      return await compareWith(peer.directory);
    } finally {
      await peer.remove();
    }
  },
};

/** @param {string} directory */
function compareWith(directory) {
  return withChildren(async (children) => {
    const client = children.start(new URL('./processes/client.js', import.meta.url));
    const process = children.start(new URL('./processes/peer-cosmos.js', import.meta.url), {
      args: [directory],
    });
    const origin = `http://127.0.0.1:${(await process.listening()).port}`;
    const [standIn] = await Promise.all([startStandIn(children), seedAccount(origin)]);
    const requests = targetedQueries();
    await expectOneDocumentEach(standIn.origin, requests);
    await expectOneDocumentEach(origin, requests);
    const rounds = await closedLoopInTurns(
      client,
      { standIn: { ...standIn, requests }, peer: { origin, requests, process } },
      { rounds: 4, windowMs: 1_400 },
    );
    const of = /** @type {const} */ ({ unit: 'queries/s', better: 'higher' });
    return {
      measured: [
        measured('stand-in', rounds.standIn.perSecond, of),
        measured(PEER, rounds.peer.perSecond, of),
        measured('stand-in, CPU time', rounds.standIn.cpuUs, { unit: 'us/query' }),
        measured(`${PEER}, CPU time`, rounds.peer.cpuUs, { unit: 'us/query' }),
      ],
      findings: [
        ratio(`stand-in / ${PEER}`, [rounds.standIn.perSecond, rounds.peer.perSecond], {
          better: 'higher',
          atLeast: 50,
        }),
      ],
    };
  });
}
