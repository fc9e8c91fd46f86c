import { BlockList, isIPv4, isIPv6 } from 'node:net';

/** Factor by which a wider network's limit exceeds the next narrower one's. */
export const WIDER_NETWORK_FACTOR = 4;

/**
 * Lists the networks whose limits apply to a client, narrowest first: an IPv4 address, even if written as IPv6, or the
 * /64 (a household), /56 (a home line), and /48 (an office or a free tunnel) of any other IPv6 address. Ignores a port,
 * which some proxies add.
 */
export function getNetworks(client: string): readonly string[] {
  const withoutPort = ADDRESS_WITH_PORT.exec(client)?.slice(1).find(Boolean) ?? client;
  const [address = withoutPort] = withoutPort.split('%');
  if (!isIPv6(address)) return [withoutPort];
  const groups = parseGroups(address);
  if (isMappedIPv4(groups)) return [groups.slice(6).flatMap(toBytes).join('.')];
  const [group1, group2, group3, group4 = 0] = groups;
  const prefix48 = [group1, group2, group3].map((group = 0) => group.toString(16)).join(':');
  return [`${prefix48}:${group4.toString(16)}`, `${prefix48}:${(group4 & 0xff00).toString(16)}/56`, `${prefix48}/48`];
}

/** Returns the narrowest network that identifies a client. */
export function getNetwork(client: string): string {
  return getNetworks(client)[0] ?? client;
}

const ADDRESS_WITH_PORT = /^(?:\[([^\]]+)\](?::\d+)?|(\d+\.\d+\.\d+\.\d+):\d+)$/;

/** Parses the eight groups of a valid IPv6 address. */
function parseGroups(address: string): number[] {
  const [head = [], tail] = address
    .split('::')
    .map((half) => (half === '' ? [] : half.split(':').flatMap(parseGroupPart)));
  if (!tail) return head;
  return [...head, ...Array<number>(8 - head.length - tail.length).fill(0), ...tail];
}

/** Parses one group, or two for an IPv4 address at the end. */
function parseGroupPart(part: string): number[] {
  if (!isIPv4(part)) return [Number.parseInt(part, 16)];
  const [a = 0, b = 0, c = 0, d = 0] = part.split('.').map(Number);
  return [a * 256 + b, c * 256 + d];
}

function toBytes(group: number): number[] {
  return [group >> 8, group & 255];
}

/** ::ffff:0:0/96 */
function isMappedIPv4(groups: readonly number[]): boolean {
  return groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
}

/**
 * @param addresses such as 10.0.0.7 or 10.0.0.0/8
 * @returns a function that checks whether an address is in the list
 */
export function createAddressMatcher(addresses: readonly string[]): (address: string) => boolean {
  const blockList = new BlockList();
  for (const address of addresses) {
    const [ip = '', bits] = address.split('/');
    if (bits === undefined) blockList.addAddress(ip, getIpVersion(ip));
    else blockList.addSubnet(ip, Number(bits), getIpVersion(ip));
  }
  return (address) => blockList.check(address, getIpVersion(address));
}

function getIpVersion(ip: string): 'ipv4' | 'ipv6' {
  return isIPv6(ip) ? 'ipv6' : 'ipv4';
}
