import { createHash } from 'node:crypto';
import { isIPv6 } from 'node:net';

/** Under what the tries for an email address are counted. */
export function addressSubject(kind: string, email: string): string {
  return hashed(kind, 'address', email.trim().toLowerCase());
}

/** Under what the tries of a client are counted: its address, or the network of it that one household is given. */
export function clientSubject(kind: string, client: string): string {
  return hashed(kind, 'client', networkOf(client));
}

/** Whoever reads the table learns of nobody. */
function hashed(...parts: readonly string[]): string {
  return createHash('sha256').update(parts.join('\n')).digest('base64url');
}

/** An IPv4 address as it is, also one that is written as IPv6; of any other IPv6 address the first 64 bits. */
function networkOf(client: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(client)?.[1];
  if (mapped) return mapped;
  const [address = client] = client.split('%');
  return isIPv6(address) ? firstHalf(address) : client;
}

function firstHalf(address: string): string {
  const [before = '', after] = address.toLowerCase().split('::');
  const left = groupsOf(before);
  const right = groupsOf(after ?? '');
  const zeros = after === undefined ? 0 : 8 - left.length - right.length;
  const groups = [...left, ...Array<string>(Math.max(zeros, 0)).fill('0'), ...right];
  return groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':');
}

function groupsOf(part: string): string[] {
  // The last two groups may be written as an IPv4 address, which stands for two.
  return part === '' ? [] : part.split(':').flatMap((group) => (group.includes('.') ? ['0', '0'] : [group]));
}
