import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { SAMPLE_EDITOR } from '#scripts/sample/sample-org.ts';
import { buildDatabaseUrl, runStatements } from '#test/support/postgres-server.ts';
import { CARDS, openPayment, payByCard } from './support/giving.ts';
import { expect, LONG_TIMEOUT, ORG } from './support/journey.ts';
import { restartSite, type SampleSite, startSampleSite } from './support/sample-site.ts';
import { testOnSeparateSite } from './support/separate-site.ts';
import { awaitEmail, newEmail, signInAs } from './support/sign-in.ts';

/** A site that can be stopped, changed, and started again. */
const test = testOnSeparateSite(async () => {
  const site = await startSampleSite();
  let runningSite: SampleSite = site;
  const runWhileStopped = async (work: () => Promise<void>) => {
    await runningSite.stop();
    expect(runningSite.errors).toEqual([]);
    await work();
    runningSite = await restartSite(site);
  };
  const close = async () => {
    await runningSite.stop();
    await site.deleteData();
  };
  return { site, runWhileStopped, close };
});

test('a gift made after the backup is recovered from the card processor with its receipt and the donor’s link', async ({
  page,
  ownSite,
}) => {
  test.setTimeout(LONG_TIMEOUT);
  const donor = newEmail('restored');
  const { database } = ownSite.site;
  const name = new URL(database).pathname.slice(1);
  const backup = `backup_of_${name}`;
  const postgres = buildDatabaseUrl(database, 'postgres');
  await ownSite.runWhileStopped(() => runStatements(postgres, `create database ${backup} template ${name}`));

  await page.goto(`${ORG}/donate`);
  await page.getByText('$250', { exact: true }).click();
  const payment = await openPayment(page, 'Donate');
  await payByCard(payment, CARDS.succeeds, donor);
  await expect(payment.getByRole('heading', { name: 'Thank you for offsetting!' })).toBeVisible();

  const donorUrl = payment.url();
  // Requests during the outage would log errors.
  for (const openPage of [page, payment]) await openPage.goto('about:blank');
  await ownSite.runWhileStopped(async () => {
    await runStatements(postgres, `drop database ${name}`, `alter database ${backup} rename to ${name}`);
    const { stdout } = await runRecovery(ownSite.site);
    expect(stdout).toContain('The books and the payment provider agree.');
  });

  // The donor's page keeps its address, and a new receipt replaces the earlier one, which may already have been sent.
  await payment.goto(donorUrl);
  await expect(payment.getByRole('heading', { name: 'Thank you for offsetting!' })).toBeVisible();
  await awaitEmail(donor, 'This receipt replaces any receipt with another number for this gift.');

  await signInAs(page, SAMPLE_EDITOR.email);
  await page.goto(`${ORG}/editor/checkouts`);
  const gift = page.getByRole('row').filter({ hasText: 'Ada Giver' });
  await expect(gift).toHaveCount(1);
  await expect(gift).toContainText('$250.00');
  await expect(gift).toContainText('Paid');
});

function runRecovery({ dataDir, database }: SampleSite) {
  const env = { ...process.env, DATA_DIR: dataDir, DATABASE_URL: database, NODE_COMPILE_CACHE: 'build/test-compiled' };
  return promisify(execFile)(process.execPath, ['scripts/recover.ts', '--write', '--last-receipt', '0'], { env });
}
