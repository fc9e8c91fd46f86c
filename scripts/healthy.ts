import { readConfig } from '#server/config.ts';
import { typed } from './usage.ts';

// fund healthy: ends with 0 if the program that runs with these settings answers, for containers.
typed('healthy', {});
const { host = 'localhost', port } = readConfig();
const named = host === '0.0.0.0' || host === '::' ? 'localhost' : host;
const url = `http://${named.includes(':') ? `[${named}]` : named}:${port}/healthz`;
const answer = await fetch(url, { signal: AbortSignal.timeout(5000) }).catch(() => undefined);
if (answer?.ok !== true) process.exitCode = 1;
