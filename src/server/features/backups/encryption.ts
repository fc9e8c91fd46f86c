import { createCipheriv, createDecipheriv, type ScryptOptions, scrypt } from 'node:crypto';

/** Size of a chunk before encryption. The last chunk may be shorter. */
const CHUNK_BYTES = 64 * 1024;
const TAG_BYTES = 16;
const CIPHER = 'aes-256-gcm';
/** Requires 32 MB and a tenth of a second per guess, in case the operator chose a weak key. */
const SCRYPT_OPTIONS: ScryptOptions = { N: 2 ** 15, r: 8, p: 1, maxmem: 64 * 1024 * 1024 };

/** Thrown if the bytes were changed or truncated, or if the key is wrong. */
export class DecryptionError extends Error {
  override readonly name = 'DecryptionError';
  constructor() {
    super('The backup is damaged, or BACKUP_KEY is not the key it was made with.');
  }
}

/**
 * Derives the key for one file.
 * @param salt random and unique to the file, so that no two files share a key and chunk numbers can serve as nonces
 */
export function deriveFileKey(secret: string, salt: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(secret, salt, 32, SCRYPT_OPTIONS, (error, key) => (error ? reject(error) : resolve(key)));
  });
}

/**
 * Encrypts bytes in chunks. Each chunk is authenticated with its number and whether it is the last one, so that chunks
 * can't be changed, moved, repeated, or cut off.
 * @param header authenticated with each chunk, but not encrypted
 */
export async function* encrypt(source: AsyncIterable<Buffer>, key: Buffer, header: Buffer): AsyncGenerator<Buffer> {
  for await (const { index, bytes, isLast } of splitChunks(source, CHUNK_BYTES)) {
    const cipher = createCipheriv(CIPHER, key, createNonce(index, isLast)).setAAD(header);
    yield Buffer.concat([cipher.update(bytes), cipher.final(), cipher.getAuthTag()]);
  }
}

/** @throws DecryptionError before returning any bytes of an invalid chunk */
export async function* decrypt(source: AsyncIterable<Buffer>, key: Buffer, header: Buffer): AsyncGenerator<Buffer> {
  for await (const { index, bytes, isLast } of splitChunks(source, CHUNK_BYTES + TAG_BYTES)) {
    if (bytes.length < TAG_BYTES) throw new DecryptionError();
    const end = bytes.length - TAG_BYTES;
    const decipher = createDecipheriv(CIPHER, key, createNonce(index, isLast), { authTagLength: TAG_BYTES }).setAAD(
      header,
    );
    decipher.setAuthTag(bytes.subarray(end));
    yield Buffer.concat([decipher.update(bytes.subarray(0, end)), finishDecryption(decipher)]);
  }
}

function finishDecryption(decipher: { final(): Buffer }): Buffer {
  try {
    return decipher.final();
  } catch {
    throw new DecryptionError();
  }
}

function createNonce(index: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12);
  nonce.writeUIntBE(index, 5, 6);
  nonce[11] = isLast ? 1 : 0;
  return nonce;
}

type Chunk = { readonly index: number; readonly bytes: Buffer; readonly isLast: boolean };

/** Splits a stream into chunks. An empty stream yields one empty chunk. */
async function* splitChunks(source: AsyncIterable<Buffer>, size: number): AsyncGenerator<Chunk> {
  let index = 0;
  let pendingBytes: Buffer[] = [];
  let length = 0;
  for await (const bytes of source) {
    pendingBytes.push(bytes);
    length += bytes.length;
    // A full chunk may be the last one, so wait for more bytes before yielding it.
    if (length <= size) continue;
    const buffer = Buffer.concat(pendingBytes);
    let offset = 0;
    for (; length - offset > size; offset += size, index += 1)
      yield { index, bytes: buffer.subarray(offset, offset + size), isLast: false };
    pendingBytes = [buffer.subarray(offset)];
    length -= offset;
  }
  yield { index, bytes: Buffer.concat(pendingBytes), isLast: true };
}
