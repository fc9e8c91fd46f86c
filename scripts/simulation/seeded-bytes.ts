import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import type { Random } from '../sample/seeded-random.ts';

/** Our ids have 16 random bytes, the sandbox's 12. Others, such as those of a log-in at the database, stay random. */
const ID_BYTES: readonly number[] = [12, 16];

/** Makes all ids from the seed while `work` runs: they break ties, so a replay needs the same ones. */
export async function withSeededIds<T>(random: Random, work: () => Promise<T>): Promise<T> {
  const { randomBytes } = crypto;
  const seeded = (size: number) =>
    ID_BYTES.includes(size) ? Buffer.from(Array.from({ length: size }, () => random.whole(0, 255))) : randomBytes(size);
  replace(seeded);
  try {
    return await work();
  } finally {
    replace(randomBytes);
  }
}

/** Also for modules that have imported it by name. */
function replace(randomBytes: (size: number) => Buffer): void {
  Object.assign(crypto, { randomBytes });
  syncBuiltinESMExports();
}
