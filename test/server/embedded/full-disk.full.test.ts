// Slow because it fills and empties a disk twice, and PostgreSQL recovers in between.
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { mountSmallDisk } from '#scripts/crash-test/small-disk.ts';
import { createScratchFolder } from '#scripts/scratch-folder.ts';
import { openDatabase } from '#server/db/connection.ts';
import { isUnavailable } from '#server/db/unavailable.ts';
import { createLogSpy } from '#test/support/log-spy.ts';

// Only root can mount a disk small enough to fill.
test.runIf(process.platform === 'linux' && process.getuid?.() === 0)(
  'a full disk rejects writes as unavailable, recovers once there is room, and loses nothing acknowledged',
  async () => {
    const dataDir = path.join(await createScratchFolder('full-disk'), 'data');
    const disk = await mountSmallDisk(dataDir);
    onTestFinished(() => disk.unmount());
    const { log } = createLogSpy();
    const database = await openDatabase({ dataDir, isServerProcess: true, log });
    onTestFinished(() => database.close());
    const { pool } = database;
    await pool.query('create table written (number int8 primary key, filler text not null)');
    let acknowledgedCount = 0;
    const writeRow = () => pool.query(`insert into written values ($1, repeat('x', 7000))`, [acknowledgedCount + 1]);
    const writeUntilFailure = async () => {
      for (;;) {
        await writeRow();
        acknowledgedCount += 1;
      }
    };
    for (let round = 1; round <= 2; round += 1) {
      await disk.fill();
      const error = await writeUntilFailure().catch((failure: unknown) => failure);
      expect(isUnavailable(error), String(error)).toBe(true);
      await disk.clear();
      const readCounts = async () => {
        const result = await pool
          .query<{ highest: number; count: number }>(
            'select coalesce(max(number), 0) as highest, count(*) as count from written',
          )
          .catch(() => undefined);
        return result?.rows[0];
      };
      await expect.poll(readCounts).toBeDefined();
      const { highest = 0, count } = (await readCounts()) ?? {};
      // The rejected row may have been committed.
      expect(highest - acknowledgedCount).toBeLessThanOrEqual(1);
      expect(count).toBe(highest);
      acknowledgedCount = highest;
      await writeRow();
      acknowledgedCount += 1;
    }
  },
);
