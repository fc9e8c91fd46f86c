import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePort } from '../crash-test/free-port.ts';
import { startProduct, WITH_SAMPLE } from '../crash-test/product-process.ts';

export type ScratchProduct = {
  readonly url: string;
  /** The program's own process. */
  readonly pid: number;
  /** For whatever else is only needed meanwhile. */
  readonly folder: string;
};

type Scratch = {
  readonly withSample?: boolean;
  /** By what name the program is asked. Its payment page leads back to `localhost`. */
  readonly host?: '127.0.0.1' | 'localhost';
  /** The PostgreSQL server to work on; without one the embedded database is used. */
  readonly databaseUrl?: string;
  /** Fills the folder of the program's data before it starts. */
  readonly prepare?: (dataDir: string) => Promise<void>;
};

/** Runs the real program on data of its own while it is measured; nothing of it is left afterwards. */
export async function withScratchProduct<Result>(
  { withSample = false, host = '127.0.0.1', databaseUrl, prepare }: Scratch,
  measure: (product: ScratchProduct) => Promise<Result>,
): Promise<Result> {
  const folder = await mkdtemp(path.join(tmpdir(), 'city-climate-fund-bench-'));
  try {
    const dataDir = path.join(folder, 'data');
    await prepare?.(dataDir);
    const port = await freePort();
    const url = `http://${host}:${port}`;
    const settings = {
      ...{ PORT: String(port), DATA_DIR: dataDir, LOG_LEVEL: 'fatal' },
      ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }),
    };
    const product = await startProduct(url, settings, withSample ? WITH_SAMPLE : undefined);
    try {
      return await measure({ url, pid: product.pid, folder });
    } finally {
      await product.stop();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
