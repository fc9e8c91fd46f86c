import { randomBytes, sign } from 'node:crypto';
import { fingerprintOf, keyChangeBytes } from '#domain/gift-proof.ts';
import type { Database } from '#server/db/connection.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { countsLive, insertKey, lockKey, orgsWithOtherKey, replaceSecret } from './proofs.store.ts';
import { keysOf, secretOf, sha256 } from './tree-keys.ts';

/**
 * Heads are signed with a new key from now on. The old one signs it, so that a chain leads from one to the other, and is gone.
 * @returns the new key's fingerprint; undefined where an organization's last head has not the current key yet: a chain
 *   leads over one new key at a time
 */
export function replaceKey(db: Database): Promise<string | undefined> {
  return inTransaction(db, async (tx) => {
    await lockKey(tx);
    const { privateKey, publicKey: old } = keysOf(await secretOf(tx, 'proof key'));
    if (await orgsWithOtherKey(tx, await countsLive(tx), Buffer.from(old))) return undefined;
    const secret = randomBytes(32);
    const { publicKey } = keysOf(secret);
    const signature = sign(null, keyChangeBytes(old, publicKey), privateKey);
    await insertKey(tx, { key: Buffer.from(publicKey), follows: Buffer.from(old), signature });
    await replaceSecret(tx, 'proof key', secret.toString('base64url'));
    return fingerprintOf(sha256, publicKey);
  });
}
