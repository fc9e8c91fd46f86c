import { execFile } from 'node:child_process';
import { cp, rm } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { SAMPLE_EDITOR } from '#scripts/sample/sample-org.ts';
import { type OwnServer, startServer } from '#test/support/own-server.ts';
import { CARDS, openPayment, payByCard } from './support/giving.ts';
import { expect, ORG } from './support/journey.ts';
import { startOwnSite, testOnOwnSite } from './support/own-site.ts';
import { awaitMail, newEmail, signInAs } from './support/signing-in.ts';

type Env = Readonly<Record<string, string>>;

/** A site that can be stopped, changed and started again. */
const test = testOnOwnSite(async (env: Env) => {
  const { site, close } = await startOwnSite(env);
  let running: OwnServer = site;
  const whileStopped = async (work: () => Promise<void>) => {
    await running.stop();
    expect(running.errors).toEqual([]);
    await work();
    running = await startServer({ env, after: site });
  };
  const end = async () => {
    await running.stop();
    await close();
  };
  return { site, whileStopped, close: end };
});

test('a gift made after the backup is recovered from the card processor, with its receipt and the donor’s link', async ({
  page,
  own,
}) => {
  test.slow();
  const donor = newEmail('restored');
  const data = path.join(own.site.dataDir, 'db');
  const backup = path.join(own.site.dataDir, 'backup');
  await own.whileStopped(() => cp(data, backup, { recursive: true }));

  await page.goto(`${ORG}/donate`);
  await page.getByText('$250', { exact: true }).click();
  const payment = await openPayment(page, 'Donate');
  await payByCard(payment, CARDS.pays, donor);
  await expect(payment.getByRole('heading', { name: 'Thank you for offsetting!' })).toBeVisible();

  const donorsPage = payment.url();
  // What they ask for while the site is down would be noise.
  for (const each of [page, payment]) await each.goto('about:blank');
  await own.whileStopped(async () => {
    await rm(data, { recursive: true });
    await cp(backup, data, { recursive: true });
    const { stdout } = await recover(own.site.dataDir);
    expect(stdout).toContain('The books and the payment provider agree.');
  });

  // The donor's page is where it was, and a new receipt replaces the one that may have been mailed before.
  await payment.goto(donorsPage);
  await expect(payment.getByRole('heading', { name: 'Thank you for offsetting!' })).toBeVisible();
  await awaitMail(page, donor, 'It replaces any receipt with another number for this gift.');

  await signInAs(page, SAMPLE_EDITOR.email);
  await page.goto(`${ORG}/editor/checkouts`);
  const gift = page.getByRole('row').filter({ hasText: 'Ada Giver' });
  await expect(gift).toHaveCount(1);
  await expect(gift).toContainText('$250.00');
  await expect(gift).toContainText('Paid');
});

function recover(dataDir: string) {
  const env = { ...process.env, DATA_DIR: dataDir, NODE_COMPILE_CACHE: 'build/test-compiled' };
  return promisify(execFile)(process.execPath, ['scripts/recover.ts', '--write'], { env });
}
