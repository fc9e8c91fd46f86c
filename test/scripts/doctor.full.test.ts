// @spec decisions.3
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { expect, test, vi } from 'vitest';
import { createScratchFolder } from '#scripts/scratch-folder.ts';
import { EVENT_TYPES } from '#server/gateways/payments/stripe-events.ts';

vi.setConfig({ testTimeout: 60_000 });

/** Runs `npm run doctor` with only these settings. */
function runDoctor(
  env: Readonly<Record<string, string>>,
): Promise<{ readonly status: number; readonly output: string }> {
  return new Promise((resolve) => {
    const environment = { PATH: process.env.PATH, DATABASE: 'embedded', ...env };
    execFile(process.execPath, ['scripts/doctor.ts'], { env: environment }, (error, stdout, stderr) =>
      resolve({ status: Number(error?.code ?? 0), output: stdout + stderr }),
    );
  });
}

test('doctor names every invalid setting without its value and exits with status 1', async () => {
  const { status, output } = await runDoctor({
    STRIPE_SECRET_KEY: 'sk_test_canary',
    PICTURES_TO: 's3://canary',
    PORT: 'canary',
  });
  expect(status).toBe(1);
  for (const name of ['STRIPE_WEBHOOK_SECRET', 'PICTURES_TO', 'PORT']) expect(output).toContain(name);
  expect(output).not.toContain('canary');
});

test('before the first start, doctor finds no errors and creates no database', async () => {
  const DATA_DIR = await createScratchFolder('doctor');
  const { status, output } = await runDoctor({ DATA_DIR });
  expect(output).toContain('ok      Database: not created yet');
  expect(output).toContain('ok      Data folder');
  expect(output).toMatch(/\d+ ok, \d+ warnings?, 0 errors\.\n$/);
  expect(status).toBe(0);
  expect((await runDoctor({ DATA_DIR })).output).toContain('not created yet');
});

test('docs/money.md lists exactly the events that the program handles', async () => {
  const text = await readFile('docs/money.md', 'utf8');
  const list = text.slice(text.indexOf('1. Create a webhook'), text.indexOf('2. Set `STRIPE_SECRET_KEY`'));
  const eventTypes = [...list.matchAll(/`([a-z_]+(?:\.[a-z_]+)+)`/g)].map(([, type]) => type);
  expect(new Set(eventTypes)).toEqual(new Set(EVENT_TYPES));
});
