import { createHmac, createPrivateKey, createPublicKey, hash, type KeyObject, randomBytes } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { TreeName } from '#domain/gift-proof.ts';
import type { Tables } from '#server/db/tables.ts';
import { proofSecret, type TreeKey } from './proofs.store.ts';

/** Nodes of so many leaves and more are kept, and smaller ones made again. */
export const KEPT_FROM = 64;

export const sha256 = (bytes: Uint8Array): Uint8Array => new Uint8Array(hash('sha256', bytes, 'buffer'));

export const nameOf = ({ orgId, live }: TreeKey): TreeName => ({ organization: orgId, money: live ? 'live' : 'test' });

/** As the other secrets of the program: made once, and kept in the database. */
export async function secretOf(db: Kysely<Tables>, name: 'proof key' | 'proof salts'): Promise<Buffer> {
  return Buffer.from(await proofSecret(db, name, randomBytes(32).toString('base64url')), 'base64url');
}

/** The same again for the same fact, so that leaves can be made again; random to everybody without the secret. */
export function saltOf(secret: Buffer, { organization, money }: TreeName, fact: string): Uint8Array {
  return new Uint8Array(createHmac('sha256', secret).update([organization, money, fact].join('\n')).digest());
}

/** What comes before the 32 bytes of an Ed25519 key in PKCS #8 (RFC 8410). */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');

export function keysOf(secret: Buffer): { readonly privateKey: KeyObject; readonly publicKey: Uint8Array } {
  const privateKey = createPrivateKey({ key: Buffer.concat([PKCS8, secret]), format: 'der', type: 'pkcs8' });
  const spki = createPublicKey(privateKey).export({ format: 'der', type: 'spki' });
  return { privateKey, publicKey: new Uint8Array(spki.subarray(-32)) };
}
