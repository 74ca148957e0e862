// autocannon against one URL until it is told to end. Arguments: URL, connections.
import autocannon from 'autocannon';
import { announce } from './meter.js';

const [url, connections] = process.argv.slice(2);
autocannon({ url, connections: Number(connections), duration: 3600 }, () => {});
announce({});
