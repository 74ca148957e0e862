/**
 * Resource ids as the service forms them: four bytes for a database, four more for a container, eight more for an
 * item, in base64 with `-` for `/`. The client tells containers apart by the eight bytes when it keeps session tokens.
 */
export class ResourceIds {
  #database = 0;
  #container = 0;

  database(): string {
    this.#database += 1;
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32BE((Math.imul(this.#database, 0x9e3779b1) | 1) >>> 0);
    return encode(bytes);
  }

  container(databaseRid: string): string {
    this.#container += 1;
    const bytes = Buffer.alloc(8);
    decode(databaseRid).copy(bytes);
    // The highest bit marks a container, lest it looks like a user of the database.
    bytes.writeUInt32BE((Math.imul(this.#container, 0x85ebca6b) | 0x80000000) >>> 0, 4);
    return encode(bytes);
  }

  /** Offer ids are four characters; they are part of a URL, and clients sign them in lower case. */
  offer(): string {
    this.#container += 1;
    return (0xa00000 + this.#container * 7919).toString(36).slice(-4).padStart(4, '0');
  }
}

export function itemRid(containerRid: string, sequence: number): string {
  const bytes = Buffer.alloc(16);
  decode(containerRid).copy(bytes);
  bytes.writeBigUInt64LE(BigInt(sequence), 8);
  return encode(bytes);
}

function encode(bytes: Buffer): string {
  return bytes.toString('base64').replaceAll('/', '-');
}

function decode(rid: string): Buffer {
  return Buffer.from(rid.replaceAll('-', '/'), 'base64');
}
