import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm, utimes } from 'node:fs/promises';
import { expect, test } from '@playwright/test';
import { createScratchFolder } from '#scripts/scratch-folder.ts';
import { findFreePort } from '#server/db/free-port.ts';

/** Updates a file's timestamp, which file watchers treat as an edit. */
async function touch(file: string): Promise<void> {
  await utimes(file, new Date(), new Date());
}

test('npm run dev serves pages, updates them in place, and restarts the server', async ({ page }) => {
  test.setTimeout(180_000);
  const site = `http://localhost:${await findFreePort()}`;
  const dataFolder = await createScratchFolder('dev');
  const dev = spawn(process.execPath, ['scripts/dev.ts'], {
    env: { ...process.env, PORT: new URL(site).port, DATA_DIR: dataFolder },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  let output = '';
  dev.stdout?.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  const updates: string[] = [];
  page.on('console', (message) => updates.push(message.text()));
  try {
    await expect.poll(() => output, { timeout: 90_000 }).toContain(`City Climate Fund: ${site}`);
    await page.goto(`${site}/orgs/sample`, { timeout: 60_000 });
    await page.getByRole('tab', { name: 'Quick' }).click();
    await page.getByRole('button', { name: 'Calculate Offset' }).click();
    const cart = page.getByRole('tab', { name: 'Cart (1 item)' });
    await expect(cart).toHaveAttribute('aria-selected', 'true');

    await touch('src/web/routes/home/sections.tsx');
    await expect.poll(() => updates.join('\n')).toContain('hot updated: /src/web/routes/home/sections.tsx');
    await expect(cart).toHaveAttribute('aria-selected', 'true');

    const startCount = output.split('City Climate Fund:').length;
    await touch('src/server/features/site/site.routes.ts');
    await expect.poll(() => output.split('City Climate Fund:').length, { timeout: 60_000 }).toBe(startCount + 1);
    expect((await page.request.get(`${site}/api/orgs`)).status()).toBe(200);
  } finally {
    dev.kill();
    await once(dev, 'exit');
    await rm(dataFolder, { recursive: true, force: true });
  }
});
