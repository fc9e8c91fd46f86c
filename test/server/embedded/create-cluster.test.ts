// @spec decisions.9
import fs from 'node:fs/promises';
import path from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createScratchFolder } from '#scripts/scratch-folder.ts';
import { createCluster } from '#server/db/create-cluster.ts';
import { getServerPaths } from '#server/db/running-server.ts';

/** Creates a cluster that contains its password. */
const INITDB = `#!/bin/sh
mkdir "$2" && echo 18 > "$2/PG_VERSION" && cp "\${3#--pwfile=}" "$2/password"
`;

test('a cluster uses the stored password even on a file system without hard links', async () => {
  const scratch = await createScratchFolder('embedded');
  onTestFinished(() => fs.rm(scratch, { recursive: true, force: true }));
  const link = vi.spyOn(fs, 'link').mockRejectedValue(Object.assign(new Error('not permitted'), { code: 'EPERM' }));
  onTestFinished(() => link.mockRestore());
  const initdb = path.join(scratch, 'initdb');
  await fs.writeFile(initdb, INITDB, { mode: 0o700 });
  const paths = getServerPaths(path.join(scratch, 'data'));
  await fs.mkdir(paths.folder, { recursive: true });
  const createAndRead = async () => {
    await createCluster(paths, { initdb, postgres: '' }, undefined);
    return fs.readFile(path.join(paths.cluster, 'password'), 'utf8');
  };
  const password = await createAndRead();
  expect(password).toMatch(/^[0-9a-f]{48}\n$/);
  expect(await fs.readFile(paths.passwordFile, 'utf8')).toBe(password);
  // Simulates a start that was interrupted after the password was created.
  await fs.rm(paths.cluster, { recursive: true });
  expect(await createAndRead()).toBe(password);
});
