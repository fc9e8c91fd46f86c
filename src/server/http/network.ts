import { BlockList, isIPv6 } from 'node:net';

/**
 * An IPv4 address, also if written as IPv6; the first 64 bits of any other IPv6 address, which one household shares. Some
 * proxies add the port, which is another one for each connection.
 */
export function networkOf(client: string): string {
  const plain = WITH_PORT.exec(client)?.slice(1).find(Boolean) ?? client;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(plain)?.[1];
  if (mapped) return mapped;
  const [address = plain] = plain.split('%');
  return isIPv6(address) ? firstHalf(address) : plain;
}

const WITH_PORT = /^(?:\[([^\]]+)\](?::\d+)?|(\d+\.\d+\.\d+\.\d+):\d+)$/;

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

function groupsOf(text: string): string[] {
  // An IPv4 address at the end counts as two groups.
  return text === '' ? [] : text.split(':').flatMap((group) => (group.includes('.') ? ['0', '0'] : [group]));
}

/**
 * @param addresses such as 10.0.0.7 or 10.0.0.0/8
 * @returns whether an address is one of them
 */
export function addressList(addresses: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const address of addresses) {
    const [ip = '', bits] = address.split('/');
    if (bits === undefined) list.addAddress(ip, versionOf(ip));
    else list.addSubnet(ip, Number(bits), versionOf(ip));
  }
  return (address) => list.check(address, versionOf(address));
}

function versionOf(ip: string): 'ipv4' | 'ipv6' {
  return isIPv6(ip) ? 'ipv6' : 'ipv4';
}
