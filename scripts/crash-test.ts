import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { WEBHOOK_PATH } from '#contract/calls.ts';
import { buildSandboxServer } from '#sandbox/sandbox.ts';
import { recordAcknowledgements } from './crash-test/acknowledgements.ts';
import { startDonors } from './crash-test/donors.ts';
import { startProduct } from './crash-test/product-process.ts';
import { makeOrganization, ORG_ID, readLedger, type StoredLedger } from './crash-test/stored-ledger.ts';
import { freePort } from './free-port.ts';

// npm run crash-test -- --rounds 20
//
// Kills the server with kill -9 repeatedly during a stream of payments. After each kill every payment whose webhook
// it had acknowledged must be in the ledger. At the end, once the provider has delivered everything, every payment must
// be there exactly once.

const DONORS = 4;
const FIRST_PAYMENT_TIMEOUT_MS = 30_000;
const SETTLE_TIMEOUT_MS = 120_000;

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '20' } } });
const rounds = Number(values.rounds);
const folder = await mkdtemp(path.join(tmpdir(), 'city-climate-fund-crash-test-'));
const dataDir = path.join(folder, 'data');
const port = await freePort();
const productUrl = `http://localhost:${port}`;
const webhookSecret = 'whsec_crash_test';

const acknowledgements = await recordAcknowledgements(productUrl + WEBHOOK_PATH);
let providerUrl = '';
const provider = await buildSandboxServer({
  stateFile: path.join(folder, 'provider.sqlite'),
  webhookUrl: () => acknowledgements.url,
  webhookSecret,
  publicUrl: () => providerUrl,
  log: { warn: () => {}, error: console.error },
  retryDelay: () => 250,
});
providerUrl = await provider.listen({ port: 0, host: '127.0.0.1' });
const settings = {
  PORT: String(port),
  DATA_DIR: dataDir,
  LOG_LEVEL: 'fatal',
  STRIPE_API_BASE: providerUrl,
  STRIPE_SECRET_KEY: 'sk_test_crash_test',
  STRIPE_WEBHOOK_SECRET: webhookSecret,
};

const paid = new Set<string>();
const lost = new Set<string>();
try {
  await makeOrganization(path.join(dataDir, 'db'));
  for (let round = 1; round <= rounds; round += 1) {
    await crash();
    const acknowledged = [...acknowledgements.sessions];
    const { timesCounted, waiting } = await readLedger(path.join(dataDir, 'db'));
    for (const session of acknowledged) if (!timesCounted.has(session) && !waiting.has(session)) lost.add(session);
    console.log(`round ${round}: ${paid.size} paid, ${acknowledged.length} acknowledged, lost ${lost.size}`);
  }
  report(await settledLedger());
} finally {
  await provider.close();
  await acknowledgements.close();
  await rm(folder, { recursive: true, force: true });
}

/** Kills the server at a random moment during a stream of payments. */
async function crash(): Promise<void> {
  const product = await startProduct(productUrl, settings);
  const before = acknowledgements.sessions.size;
  const donors = startDonors(DONORS, productUrl, ORG_ID, paid);
  // A new server is slow at first.
  const deadline = Date.now() + FIRST_PAYMENT_TIMEOUT_MS;
  while (acknowledgements.sessions.size === before && Date.now() < deadline) await pause(20);
  await pause(Math.random() * 1500);
  await product.kill();
  await donors.stop();
}

/** The ledger after every payment has been acknowledged and every event applied. */
async function settledLedger(): Promise<StoredLedger> {
  const product = await startProduct(productUrl, settings);
  const deadline = Date.now() + SETTLE_TIMEOUT_MS;
  const isSettled = () => [...paid].every((session) => acknowledgements.sessions.has(session));
  while (!isSettled() && Date.now() < deadline) {
    await provider.sandbox.deliverPending();
    await pause(100);
  }
  await product.stop();
  for (;;) {
    const ledger = await readLedger(path.join(dataDir, 'db'));
    if (ledger.waiting.size === 0 || Date.now() > deadline) return ledger;
    const again = await startProduct(productUrl, settings);
    await pause(1000);
    await again.stop();
  }
}

function report({ timesCounted, differences }: StoredLedger): void {
  for (const session of paid) if (!timesCounted.has(session)) lost.add(session);
  const doubled = [...timesCounted.values()].filter((times) => times > 1).length;
  const invented = [...timesCounted.keys()].filter((session) => !acknowledgements.sessions.has(session)).length;
  for (const { subject, problem } of differences) console.log(`difference: ${subject} ${problem}`);
  if (invented > 0) console.log(`${invented} payments in the ledger were never reported`);
  console.log(`${rounds} rounds of kill -9, ${paid.size} payments: lost ${lost.size}, doubled ${doubled}`);
  if (paid.size === 0) console.log('No payment was made, so nothing is proven.');
  const isFine = lost.size + doubled + invented + differences.length === 0 && paid.size > 0;
  process.exitCode = isFine ? 0 : 1;
}
