import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';

const DECODERS: Readonly<Record<string, (input: Buffer) => Promise<Buffer>>> = {
  gzip: promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
};

/** Undoes the content encodings of a body, last first. No encoding is asked for unless the script does. */
export async function decompress(body: Buffer, contentEncoding: string): Promise<Buffer> {
  let bytes = body;
  const encodings = contentEncoding.split(',').map((name) => name.trim().toLowerCase());
  for (const encoding of encodings.reverse()) {
    if (encoding === '' || encoding === 'identity') continue;
    const decode = DECODERS[encoding];
    if (decode === undefined) throw new Error(`the content encoding '${encoding}' is not supported`);
    bytes = await decode(bytes);
  }
  return bytes;
}
