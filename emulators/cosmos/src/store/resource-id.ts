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

/** Makes the resource ids of one container's items. */
export class ItemRids {
  /** The container's eight bytes, and eight for the item's number: reused, as ids are made for every write. */
  readonly #bytes = Buffer.alloc(16);

  constructor(containerRid: string) {
    decode(containerRid).copy(this.#bytes);
  }

  /** @param sequence below 2^48 */
  of(sequence: number): string {
    this.#bytes.writeUIntLE(sequence, 8, 6);
    return encode(this.#bytes);
  }
}

function encode(bytes: Buffer): string {
  const text = bytes.toString('base64');
  return text.includes('/') ? text.replaceAll('/', '-') : text;
}

function decode(rid: string): Buffer {
  return Buffer.from(rid.replaceAll('-', '/'), 'base64');
}
