import { onTestFinished } from 'vitest';
import { startNetworkRelay } from '#scripts/network-relay.ts';
import { createScratchFolder } from '#scripts/scratch-folder.ts';
import { readConfig } from '#server/config.ts';
import type { DatabaseLimits } from '#server/db/limits.ts';
import { serve } from '#server/main.ts';
import { addOrg } from '#test/support/builders/org.ts';
import { createTestDatabaseLocation } from '#test/support/database.ts';
import { createWebFolder } from '#test/support/web-folder.ts';

/** Short limits that are still longer than a response takes on a busy machine. */
const SHORT_LIMITS = { responseMs: 4000, checkEveryMs: 100, retryEveryMs: 20, giveUpMs: 100, connectMs: 5000 };
/**
 * Longer than a call may take here, so that waiting calls fail. The crash test measures how soon everything works
 * again.
 */
export const MINUTE_MS = 60_000;

/** Starts the whole program with its jobs, behind a network relay to its database. */
export async function startServer(limits: Partial<DatabaseLimits> = {}) {
  const { databaseUrl } = await createTestDatabaseLocation();
  return startServerAt(databaseUrl, limits);
}

export async function startServerAt(databaseUrl: string, limits: Partial<DatabaseLimits> = {}) {
  const relay = await startNetworkRelay(databaseUrl);
  const lines: string[] = [];
  const server = await serve(
    readConfig({
      DATABASE_URL: relay.url,
      DATA_DIR: await createScratchFolder('outage'),
      PORT: '0',
      LOG_LEVEL: 'warn',
      DATABASE_POOL: '4',
    }),
    {
      webFolder: await createWebFolder(),
      output: { write: (line: string) => void lines.push(readMessage(line)) },
      limits: { ...SHORT_LIMITS, ...limits },
    },
  );
  onTestFinished(async () => {
    await server.close();
    await relay.close();
  });
  const orgId = await addOrg(server.deps.db);
  const get = (path: string) => fetch(server.url + path, { signal: AbortSignal.timeout(MINUTE_MS / 2) });
  const readStatus = async (path: string) => (await get(path)).status;
  /**
   * Calls for an unknown organization. This call reads from the database even if responses are cached, because the
   * existence of organizations isn't cached.
   */
  const call = () => get('/api/orgs/nobody');
  const callStatus = async () => (await call()).status;
  return { server, relay, lines, orgId, call, callStatus, readStatus, db: server.deps.db };
}

/** The logged reasons for an unreachable database. */
export const outageReasons: string[] = [];

function readMessage(line: string): string {
  const { msg, reason }: { msg: string; reason?: string } = JSON.parse(line);
  outageReasons.push(...(reason === undefined ? [] : [reason]));
  return msg;
}

/** Ignores messages about build files and a busy machine. */
export function filterUnexpectedLines(lines: readonly string[]): string[] {
  return lines.filter((line) => line !== 'the places could not be read' && line !== 'a query was slow');
}

export const OUTAGE_MESSAGE = 'the database is unreachable: requests that need it are rejected until it is back';
export const RECOVERY_MESSAGE = 'the database responds again';
