import { afterAll } from 'vitest';
import { startNetworkRelay } from '#scripts/network-relay.ts';
import { scratchFolder } from '#scripts/scratch-folder.ts';
import { readConfig } from '#server/config.ts';
import type { DatabaseLimits } from '#server/db/limits.ts';
import { serve } from '#server/main.ts';
import { addOrg } from '#test/support/builders/org.ts';
import { testDatabaseLocation } from '#test/support/database.ts';
import { makeWebFolder } from '#test/support/web-folder.ts';

/** A short limit that is still longer than a response takes on a busy machine. */
const SHORT = { responseMs: 4000, checkEveryMs: 100, retryEveryMs: 20, giveUpMs: 100, connectMs: 5000 };
/**
 * Longer than a call may take here, so that waiting calls fail. The crash test measures how soon everything works
 * again.
 */
export const A_MINUTE_MS = 60_000;

/** The whole program with its jobs, and the network between it and its database. */
export async function program(limits: Partial<DatabaseLimits> = {}) {
  const { databaseUrl } = await testDatabaseLocation();
  return programAt(databaseUrl, limits);
}

export async function programAt(databaseUrl: string, limits: Partial<DatabaseLimits> = {}) {
  const relay = await startNetworkRelay(databaseUrl);
  const lines: string[] = [];
  const server = await serve(
    readConfig({
      DATABASE_URL: relay.url,
      DATA_DIR: await scratchFolder('outage'),
      PORT: '0',
      LOG_LEVEL: 'warn',
      DATABASE_POOL: '4',
    }),
    {
      webFolder: await makeWebFolder(),
      output: { write: (line: string) => void lines.push(messageOf(line)) },
      limits: { ...SHORT, ...limits },
    },
  );
  afterAll(async () => {
    await server.close();
    await relay.close();
  });
  const orgid = await addOrg(server.deps.db);
  const get = (path: string) => fetch(server.url + path, { signal: AbortSignal.timeout(A_MINUTE_MS / 2) });
  const statusOf = async (path: string) => (await get(path)).status;
  /** Reads from the database even if responses are cached, because the existence of organizations is not. */
  const call = () => get('/api/orgs/nobody');
  const callStatus = async () => (await call()).status;
  return { serving: server, relay, lines, orgid, call, callStatus, statusOf, db: server.deps.db };
}

/** The logged reasons for an unreachable database. */
export const reasons: string[] = [];

function messageOf(line: string): string {
  const { msg, reason }: { msg: string; reason?: string } = JSON.parse(line);
  reasons.push(...(reason === undefined ? [] : [reason]));
  return msg;
}

/** Ignores messages about build files and a busy machine. */
export function unexpectedLines(lines: readonly string[]): string[] {
  return lines.filter((line) => line !== 'the places could not be read' && line !== 'a query was slow');
}

export const OUT = 'the database is unreachable: requests that need it are rejected until it is back';
export const BACK = 'the database responds again';
