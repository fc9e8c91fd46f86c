import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';

/** Stored hashes do not name their parameters: changing one of these would lock everyone out. */
const N = 16_384;
const BLOCK_SIZE = 16;
const KEY_BYTES = 64;
const SALT_BYTES = 16;
const OPTIONS = { N, r: BLOCK_SIZE, p: 1, maxmem: 256 * N * BLOCK_SIZE };

/** Matches no password: checking one against it takes as long as against a real hash. */
const NO_HASH = `${'0'.repeat(2 * SALT_BYTES)}:${'0'.repeat(2 * KEY_BYTES)}`;

/** @returns salt and key in hex, separated by a colon, as better-auth wrote them */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES).toString('hex');
  return `${salt}:${(await keyOf(password, salt)).toString('hex')}`;
}

export async function verifyPassword(password: string, hash = NO_HASH): Promise<boolean> {
  const [salt = '', key = ''] = hash.split(':');
  const expected = Buffer.from(key, 'hex');
  const actual = await keyOf(password, salt);
  return actual.length === expected.length && timingSafeEqual(actual, expected);
}

function keyOf(password: string, salt: string): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(password.normalize('NFKC'), salt, KEY_BYTES, OPTIONS, (error, key) =>
      error ? reject(error) : resolve(key),
    );
  });
}
