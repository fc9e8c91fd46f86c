import { createHmac, randomBytes } from 'node:crypto';
import { isSame, ownCookie } from './cookies.ts';
import type { KnownDevices } from './identity.ts';

/** Also the way back from Google. */
const PATH = '/api';
const A_YEAR = 365 * 24 * 60 * 60;
/** People who share a browser. */
const MOST = 5;

/**
 * A signed cookie that names, without saying whom, the people who have logged in in a browser. It opens nothing: it only
 * counts their tries apart from everybody else's.
 * @param key signs the cookie
 */
export function knownDevices(publicUrl: () => string, key: () => Promise<Uint8Array>): KnownDevices {
  const cookie = ownCookie('fund.known_device', { publicUrl, path: PATH });
  const entriesOf = (header: string | undefined) =>
    cookie.read(header)?.split('.').filter(Boolean).slice(0, MOST) ?? [];
  const find = async (header: string | undefined, email: string) => {
    for (const entry of entriesOf(header)) {
      const [nonce = '', signature = ''] = entry.split('~');
      if (isSame(signature, signatureOf(await key(), nonce, email))) return { entry, nonce };
    }
    return undefined;
  };
  return {
    find: async (header, email) => (await find(header, email))?.nonce,
    remember: async (header, email) => {
      const known = await find(header, email);
      const nonce = known?.nonce ?? randomBytes(12).toString('base64url');
      const entry = known?.entry ?? `${nonce}~${signatureOf(await key(), nonce, email)}`;
      const others = entriesOf(header).filter((each) => each !== entry);
      const value = [entry, ...others].slice(0, MOST).join('.');
      return cookie.set(value, A_YEAR);
    },
  };
}

function signatureOf(key: Uint8Array, nonce: string, email: string): string {
  return createHmac('sha256', key).update(`${nonce}\n${email.toLowerCase()}`).digest('base64url');
}
