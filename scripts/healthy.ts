import { readConfig } from '#server/config.ts';
import { getServerUrl } from './server-url.ts';
import { parseCommand, printFailure } from './usage.ts';

// fund healthy: health check for containers. Exits with 0 if the server with these settings responds.
parseCommand('healthy', {});
try {
  const url = `${getServerUrl(readConfig())}/healthz`;
  const response = await fetch(url, { signal: AbortSignal.timeout(5000) }).catch(() => undefined);
  if (response?.ok !== true) throw new Error(`${url} ${response ? `returns ${response.status}` : 'does not respond'}.`);
} catch (error) {
  printFailure(error);
}
