import type { Config } from '#server/config.ts';

/** URL of the server on this machine. */
export function getServerUrl({ host = 'localhost', port }: Pick<Config, 'host' | 'port'>): string {
  const hostName = host === '0.0.0.0' || host === '::' ? 'localhost' : host;
  return `http://${hostName.includes(':') ? `[${hostName}]` : hostName}:${port}`;
}
