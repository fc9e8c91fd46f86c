import fs from 'node:fs/promises';
import path from 'node:path';
import { expect, test, vi } from 'vitest';
import { withBackup } from '#scripts/backups/with-backup.ts';
import { createScratchFolder } from '#scripts/scratch-folder.ts';
import { readConfig } from '#server/config.ts';
import { getCurrentUserName } from '#server/features/operation/check-machine.ts';
import { deferCleanup } from '#test/support/defer-cleanup.ts';

const folder = await createScratchFolder('with-backup');
deferCleanup(() => fs.rm(folder, { recursive: true, force: true }));
const config = readConfig({ DATA_DIR: folder, BACKUP_TO: path.join(folder, 'backups') });

test.each(['stat', 'access'] as const)(
  'a backup that the user can’t read is not reported as missing (%s)',
  async (step) => {
    const file = path.join(folder, 'fund.backup');
    await fs.writeFile(file, '');
    // Root can read every file, so the error is simulated.
    const spy = vi.spyOn(fs, step).mockRejectedValue(Object.assign(new Error('denied'), { code: 'EACCES' }));
    try {
      await expect(withBackup(file, config, async () => {})).rejects.toThrow(
        `${getCurrentUserName()} can’t read ${file} (EACCES). Copy the file to ${process.cwd()}, and change the copy’s owner`,
      );
    } finally {
      spy.mockRestore();
    }
  },
);

test.each(['none.backup', 'fund.txt/none.backup'])('a missing backup is reported: %s', async (name) => {
  await fs.writeFile(path.join(folder, 'fund.txt'), '');
  await fs.mkdir(path.join(folder, 'backups'), { recursive: true });
  await expect(withBackup(path.join(folder, name), config, async () => {})).rejects.toThrow('There is no backup ');
});
