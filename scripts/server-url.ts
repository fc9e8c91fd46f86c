import type { Config } from '#server/config.ts';

/** Address of the program on this machine. */
export function serverUrl({ host = 'localhost', port }: Pick<Config, 'host' | 'port'>): string {
  const hostName = host === '0.0.0.0' || host === '::' ? 'localhost' : host;
  return `http://${hostName.includes(':') ? `[${hostName}]` : hostName}:${port}`;
}
