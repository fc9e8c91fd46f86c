/** Headers that claim another host name. A server that trusts them emails links to another site. */
export const SPOOFED_HOSTS: readonly Readonly<Record<string, string>>[] = [
  { host: 'evil.example' },
  { host: 'evil.example:443' },
  { host: 'fund.example.evil.example' },
  { host: 'fund.example@evil.example' },
  { host: 'fund.example', 'x-forwarded-host': 'evil.example' },
  { 'x-forwarded-host': 'evil.example, fund.example', 'x-forwarded-proto': 'https' },
  { 'x-forwarded-server': 'evil.example', 'x-forwarded-port': '444' },
  { 'x-host': 'evil.example', 'x-http-host-override': 'evil.example' },
  { 'x-original-host': 'evil.example', 'x-original-url': 'https://evil.example/' },
  { 'x-rewrite-url': 'https://evil.example/', 'x-forwarded-prefix': '//evil.example' },
  { forwarded: 'for=127.0.0.1;host=evil.example;proto=http' },
  { referer: 'https://evil.example/login', 'x-forwarded-scheme': 'http', 'x-wap-profile': 'https://evil.example/' },
];
