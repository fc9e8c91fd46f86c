import { readConfig } from '#server/config.ts';
import { programAddress } from './program-address.ts';
import { printFailure, typed } from './usage.ts';

// fund healthy: ends with 0 if the program that runs with these settings answers, for containers.
typed('healthy', {});
try {
  const url = `${programAddress(readConfig())}/healthz`;
  const answer = await fetch(url, { signal: AbortSignal.timeout(5000) }).catch(() => undefined);
  if (answer?.ok !== true) throw new Error(`${url} ${answer ? `answers ${answer.status}` : 'does not answer'}.`);
} catch (error) {
  printFailure(error);
}
