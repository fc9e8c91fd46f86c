import type { Config } from '#server/config.ts';

/** Where the program that runs with these settings answers, on this machine. */
export function programAddress({ host = 'localhost', port }: Pick<Config, 'host' | 'port'>): string {
  const named = host === '0.0.0.0' || host === '::' ? 'localhost' : host;
  return `http://${named.includes(':') ? `[${named}]` : named}:${port}`;
}
