import { BlockList, isIP } from 'node:net';

/** Private networks, in which a proxy can have any address. */
const PRIVATE_NETWORKS = new BlockList();
for (const [net, bits] of [
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
] as const)
  PRIVATE_NETWORKS.addSubnet(net, bits);
PRIVATE_NETWORKS.addSubnet('fc00::', 7, 'ipv6');
PRIVATE_NETWORKS.addSubnet('fe80::', 10, 'ipv6');

/** Minimum prefix length by IP version. Allows networks as large as those of hosted proxies, but none larger. */
const MIN_PREFIX_LENGTH = { 4: { private: 8, public: 12 }, 6: { private: 7, public: 20 } } as const;

/**
 * Accepts an IP address or a network such as "10.0.0.0/8", but no large part of the internet, because every address in it
 * can claim to be any client. An IPv6 network must not include IPv4 addresses, since all of them fit in one small network.
 */
export function isAllowedProxy(text: string): boolean {
  const [ip = '', prefixLength, ...rest] = text.split('/');
  const version = isIP(ip);
  if ((version !== 4 && version !== 6) || rest.length > 0) return false;
  if (prefixLength === undefined) return true;
  if (version === 6 && canContainIPv4(ip) && prefixLength !== '128') return false;
  const isPrivate = PRIVATE_NETWORKS.check(ip, version === 4 ? 'ipv4' : 'ipv6');
  const minimum = MIN_PREFIX_LENGTH[version][isPrivate ? 'private' : 'public'];
  const maximum = version === 4 ? 32 : 128;
  return /^[1-9]\d{0,2}$/.test(prefixLength) && Number(prefixLength) >= minimum && Number(prefixLength) <= maximum;
}

/** @returns whether an IPv6 network can contain "::ffff:10.0.0.0", an IPv4 address */
function canContainIPv4(ip: string): boolean {
  return URL.parse(`http://[${ip}]`)?.hostname.startsWith('[::') ?? true;
}
