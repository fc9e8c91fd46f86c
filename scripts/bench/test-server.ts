import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { findFreePort } from '#server/db/free-port.ts';
import { SAMPLE_SCRIPT, startServer } from '../crash-test/server-process.ts';

export type TestServer = {
  readonly url: string;
  readonly pid: number;
  /** Folder for other temporary files. */
  readonly folder: string;
};

type TestServerOptions = {
  readonly withSample?: boolean;
  /** The host in the URL. The payment page redirects to `localhost`. */
  readonly host?: '127.0.0.1' | 'localhost';
  /** URL of a PostgreSQL server to use instead of the embedded one. */
  readonly databaseUrl?: string;
  /** Additional environment variables for the server. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Prepares the data folder before the start. */
  readonly prepare?: (dataDir: string) => Promise<void>;
};

/** Runs the real server on temporary data during a measurement. */
export async function withTestServer<Result>(
  { withSample = false, host = '127.0.0.1', databaseUrl, settings: extraSettings = {}, prepare }: TestServerOptions,
  measure: (server: TestServer) => Promise<Result>,
): Promise<Result> {
  const folder = await mkdtemp(path.join(tmpdir(), 'city-climate-fund-bench-'));
  try {
    // PostgreSQL runs as an unprivileged user, who must be able to enter the folder.
    await chmod(folder, 0o711);
    const dataDir = path.join(folder, 'data');
    await prepare?.(dataDir);
    const port = await findFreePort();
    const url = `http://${host}:${port}`;
    const settings = {
      PORT: String(port),
      DATA_DIR: dataDir,
      LOG_LEVEL: 'fatal',
      ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }),
      ...extraSettings,
    };
    const server = await startServer(url, settings, withSample ? SAMPLE_SCRIPT : undefined);
    try {
      return await measure({ url, pid: server.pid, folder });
    } finally {
      await server.stop();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
