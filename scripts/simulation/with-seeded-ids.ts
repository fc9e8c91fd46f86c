import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import type { Random } from '../seeded-random.ts';

/** Sizes of our ids (16 bytes) and the sandbox's ids (12). Other random bytes, such as for a database login, stay random. */
const ID_BYTES: readonly number[] = [12, 16];

/** Derives all ids from the seed while `work` runs. A replay needs the same ids, since sorting uses them to break ties. */
export async function withSeededIds<T>(random: Random, work: () => Promise<T>): Promise<T> {
  const { randomBytes } = crypto;
  const seededBytes = (size: number) =>
    ID_BYTES.includes(size)
      ? Buffer.from(Array.from({ length: size }, () => random.integer(0, 255)))
      : randomBytes(size);
  replaceRandomBytes(seededBytes);
  try {
    return await work();
  } finally {
    replaceRandomBytes(randomBytes);
  }
}

/** Also replaces the function in modules that imported it by name. */
function replaceRandomBytes(randomBytes: (size: number) => Buffer): void {
  Object.assign(crypto, { randomBytes });
  syncBuiltinESMExports();
}
