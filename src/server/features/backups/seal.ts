import { createCipheriv, createDecipheriv, type ScryptOptions, scrypt } from 'node:crypto';

/** The plain bytes of a sealed piece; the last one may have fewer. */
const PIECE_BYTES = 64 * 1024;
const TAG_BYTES = 16;
const CIPHER = 'aes-256-gcm';
/** 32 MB and a tenth of a second: also for a key that somebody thought of. */
const COST: ScryptOptions = { N: 2 ** 15, r: 8, p: 1, maxmem: 64 * 1024 * 1024 };

/** The bytes are not those that were written, or not all of them, or they were sealed with another key. */
export class SealBroken extends Error {
  override readonly name = 'SealBroken';
  constructor() {
    super('The backup is damaged, or BACKUP_KEY is not the one with which it was made.');
  }
}

/** @param salt random, and of one file alone: no two files share a key, so that pieces can be counted */
export function keyOfFile(secret: string, salt: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(secret, salt, 32, COST, (error, key) => (error ? reject(error) : resolve(key)));
  });
}

/**
 * Encrypts bytes in pieces, each with its place and whether it is the last one: none can be changed, moved, repeated or cut
 * off.
 * @param about is not encrypted, but cannot be changed either
 */
export async function* sealed(source: AsyncIterable<Buffer>, key: Buffer, about: Buffer): AsyncGenerator<Buffer> {
  for await (const { place, bytes, isLast } of inPieces(source, PIECE_BYTES)) {
    const cipher = createCipheriv(CIPHER, key, nonceOf(place, isLast)).setAAD(about);
    yield Buffer.concat([cipher.update(bytes), cipher.final(), cipher.getAuthTag()]);
  }
}

/** @throws SealBroken, before it gives out anything of the piece that is wrong */
export async function* unsealed(source: AsyncIterable<Buffer>, key: Buffer, about: Buffer): AsyncGenerator<Buffer> {
  for await (const { place, bytes, isLast } of inPieces(source, PIECE_BYTES + TAG_BYTES)) {
    if (bytes.length < TAG_BYTES) throw new SealBroken();
    const end = bytes.length - TAG_BYTES;
    const decipher = createDecipheriv(CIPHER, key, nonceOf(place, isLast), { authTagLength: TAG_BYTES }).setAAD(about);
    decipher.setAuthTag(bytes.subarray(end));
    yield Buffer.concat([decipher.update(bytes.subarray(0, end)), finalOf(decipher)]);
  }
}

function finalOf(decipher: { final(): Buffer }): Buffer {
  try {
    return decipher.final();
  } catch {
    throw new SealBroken();
  }
}

function nonceOf(place: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12);
  nonce.writeUIntBE(place, 5, 6);
  nonce[11] = isLast ? 1 : 0;
  return nonce;
}

type Piece = { readonly place: number; readonly bytes: Buffer; readonly isLast: boolean };

/** One piece at least, also of nothing. */
async function* inPieces(source: AsyncIterable<Buffer>, size: number): AsyncGenerator<Piece> {
  let place = 0;
  let held: Buffer[] = [];
  let length = 0;
  for await (const bytes of source) {
    held.push(bytes);
    length += bytes.length;
    // Only what is followed by more is not the last one.
    if (length <= size) continue;
    const all = Buffer.concat(held);
    let taken = 0;
    for (; length - taken > size; taken += size, place += 1)
      yield { place, bytes: all.subarray(taken, taken + size), isLast: false };
    held = [all.subarray(taken)];
    length -= taken;
  }
  yield { place, bytes: Buffer.concat(held), isLast: true };
}
