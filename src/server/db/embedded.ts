import fs from 'node:fs/promises';
import { PGlite } from '@electric-sql/pglite';
import { DurableFilesystem, durably } from './durable-filesystem.ts';
import { readyFolder } from './embedded-folder.ts';
import { lockFolder } from './folder-lock.ts';
import type { Log } from './log.ts';

export type Embedded = {
  readonly pglite: PGlite;
  close(): Promise<void>;
};

/**
 * Opens the database inside the process, in a folder that no other process may use meanwhile, and where a commit is
 * on the disk before it is acknowledged. Fails with a sentence for the operator.
 */
export async function openEmbedded(dataDir: string, log: Log): Promise<Embedded> {
  await fs.mkdir(dataDir, { recursive: true, mode: 0o700 });
  const lock = await lockFolder(dataDir);
  try {
    const pglite = await start(await readyFolder(dataDir, log));
    const close = async () => {
      await pglite.close();
      await lock.release();
    };
    return { pglite, close };
  } catch (error) {
    await lock.release();
    throw error;
  }
}

async function start(folder: string): Promise<PGlite> {
  // The default of 128 MB would be taken from the process for good; the system caches the files as well.
  const startParams = [...durably(PGlite.defaultStartParams), '-c', 'shared_buffers=32MB'];
  try {
    return await PGlite.create({ fs: new DurableFilesystem(folder), startParams });
  } catch (error) {
    throw new Error(`The database in ${folder} could not be opened. Restore it from a backup if this stays so.`, {
      cause: error,
    });
  }
}
