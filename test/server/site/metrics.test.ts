import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { METRICS_PATH, WEBHOOK_PATH } from '#contract/calls.ts';
import { pagePath } from '#contract/pages.ts';
import { buildApp } from '#server/app.ts';
import { QUEUED_JOBS } from '#server/background-jobs.ts';
import { newId } from '#server/db/new-id.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { sendReceiptEmail } from '#server/features/receipts/send-receipt-email.job.ts';
import { createCountingMailer } from '#server/gateways/email/counting-mailer.ts';
import { type Email, EmailRejectedError } from '#server/gateways/email/mailer.ts';
import { openQueues } from '#server/jobs/queues.ts';
import { createMetrics } from '#server/process/metrics.ts';
import { timeCall } from '#server/process/time-call.ts';
import { createTestDeps } from '#test/support/build-app.ts';
import { addCheckout } from '#test/support/builders/checkout.ts';
import { addGift } from '#test/support/builders/gift.ts';
import { addOrg } from '#test/support/builders/org.ts';
import { createTestClock, MINUTE } from '#test/support/clock.ts';
import { createTestDatabase } from '#test/support/database.ts';
import { createLogSpy } from '#test/support/log-spy.ts';
import { createWebFolder, MANIFEST } from '#test/support/web-folder.ts';
import { renderPage } from '#web/entry-server.tsx';

const db = await createTestDatabase();
const TOKEN = 'a-token-of-the-operator-that-is-long';
const webFolder = await createWebFolder(MANIFEST);

async function startSite(metricsToken: string | undefined, now = () => new Date()) {
  const deps = await createTestDeps(db, { settings: { metricsToken }, now });
  const app = await buildApp(deps, { webFolder, render: renderPage });
  onTestFinished(() => app.close());
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as AddressInfo;
  const sendRequest = async (path: string, headers: http.OutgoingHttpHeaders = {}, method = 'GET') => {
    const request = http.request({ host: '127.0.0.1', port, path, headers, method, agent: false }).end();
    const [response] = (await once(request, 'response')) as [http.IncomingMessage];
    return { status: response.statusCode, headers: response.headers, body: await text(response) };
  };
  const readMetrics = async () => (await sendRequest(METRICS_PATH, { authorization: `Bearer ${TOKEN}` })).body;
  return { sendRequest, readMetrics };
}

test('metrics require the token in the settings', async () => {
  const { sendRequest } = await startSite(TOKEN);
  const response = await sendRequest(METRICS_PATH, { authorization: `Bearer ${TOKEN}` });
  expect(response).toMatchObject({ status: 200, headers: { 'cache-control': 'no-store' } });
  expect(response.headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8');
  const wrongHeaders = [
    undefined,
    'Bearer',
    `Bearer ${TOKEN}x`,
    `Bearer ${TOKEN.slice(0, -1)}`,
    TOKEN,
    `Basic ${TOKEN}`,
  ];
  for (const authorization of wrongHeaders) {
    const response = await sendRequest(METRICS_PATH, authorization === undefined ? {} : { authorization });
    expect([response.status, JSON.parse(response.body).code]).toEqual([401, 'token-invalid']);
  }
  expect((await sendRequest(`${METRICS_PATH}?token=${TOKEN}`)).status).toBe(401);
});

test('metrics are off without a token in the settings', async () => {
  const { sendRequest } = await startSite(undefined);
  for (const authorization of ['Bearer undefined', 'Bearer ', `Bearer ${TOKEN}`])
    expect((await sendRequest(METRICS_PATH, { authorization })).status).toBe(404);
});

test('requests are counted by route, including cached pages', async () => {
  const { sendRequest, readMetrics } = await startSite(TOKEN);
  const id = newId();
  const orgChanged = Promise.withResolvers<void>();
  const stop = await db.listen('org_changed', () => orgChanged.resolve());
  await addOrg(db, { id });
  await orgChanged.promise;
  stop();
  const home = pagePath('home-page', { orgid: id });
  for (let index = 0; index < 3; index += 1) expect((await sendRequest(home)).status).toBe(200);
  await sendRequest(`/api/orgs/${id}`);
  await sendRequest('/a/secret/address');
  await sendRequest('/api/a/secret/call');
  await sendRequest('/assets/index-Ab12Cd34.js');
  await sendRequest(WEBHOOK_PATH, {}, 'POST');
  const lines = (await readMetrics()).split('\n');
  expect(lines).toContain('fund_http_requests_total{method="GET",route="/orgs/:orgid",status="200"} 3');
  expect(lines).toContain('fund_http_request_duration_seconds_count{method="GET",route="/orgs/:orgid"} 3');
  expect(lines).toContain('fund_http_request_duration_seconds_bucket{method="GET",route="/orgs/:orgid",le="+Inf"} 3');
  expect(lines).toContain('fund_http_requests_total{method="GET",route="/api/orgs/:orgid",status="200"} 1');
  expect(lines).toContain('fund_http_requests_total{method="GET",route="(unknown)",status="404"} 2');
  expect(lines).toContain('fund_http_requests_total{method="GET",route="/assets/*",status="200"} 1');
  expect(lines).toContain('fund_webhooks_total{outcome="rejected"} 1');
  expect(lines.join('\n')).not.toMatch(new RegExp(`secret|${id}`));
});

test('exports process metrics, and every line is valid Prometheus text', async () => {
  const { readMetrics } = await startSite(TOKEN);
  const metricsText = await readMetrics();
  for (const name of ['memory_bytes', 'heap_bytes', 'connections', 'database_connections', 'uptime_seconds'])
    expect(metricsText).toMatch(new RegExp(`^fund_${name} [0-9.e+]+$`, 'm'));
  expect(metricsText).toMatch(/^fund_build_info\{version="\d+\.\d+\.\d+",commit="",node="v24[^"]*"\} 1$/m);
  expect(metricsText).toMatch(/^fund_event_streams 0$/m);
  const label = '[a-z_]+="(?:[^"\\\\\\n]|\\\\.)*"';
  const line = new RegExp(`^(?:# (?:HELP|TYPE) fund_\\w+ .+|fund_\\w+(?:\\{${label}(?:,${label})*\\})? [-+.e\\d]+)$`);
  for (const metricLine of metricsText.trimEnd().split('\n')) expect(metricLine).toMatch(line);
  expect(metricsText.endsWith('\n')).toBe(true);
});

test('unavailable measurements are omitted, and labels can’t break a line', async () => {
  const readMetrics = createMetrics();
  readMetrics.addGauges(() => [{ name: 'fund_good', help: 'Good.', values: [[{ a: 'b"\\\nc' }, 1]] }]);
  readMetrics.addGauges(async () => {
    throw new Error('the database is unavailable');
  });
  expect(await readMetrics.text()).toBe(
    '# HELP fund_good Good.\n# TYPE fund_good gauge\nfund_good{a="b\\"\\\\\\nc"} 1\n',
  );
});

test('durations are summed in buckets', async () => {
  const readMetrics = createMetrics();
  const labels = { method: 'GET', route: '/', status: '200' };
  for (const seconds of [0.001, 0.005, 0.2, 60]) readMetrics.request(labels, seconds);
  readMetrics.request(labels);
  const lines = (await readMetrics.text()).split('\n');
  const bucketLine = (le: string, count: number) =>
    `fund_http_request_duration_seconds_bucket{method="GET",route="/",le="${le}"} ${count}`;
  expect(lines).toEqual(
    expect.arrayContaining([
      bucketLine('0.005', 2),
      bucketLine('0.1', 2),
      bucketLine('0.25', 3),
      bucketLine('10', 3),
      bucketLine('+Inf', 4),
    ]),
  );
  expect(lines).toContain('fund_http_request_duration_seconds_count{method="GET",route="/"} 4');
  expect(lines).toContain('fund_http_requests_total{method="GET",route="/",status="200"} 5');
});

test('emails are counted by outcome', async () => {
  const readMetrics = createMetrics();
  const errors = [undefined, new EmailRejectedError('550'), new Error('the server is unavailable'), undefined];
  const mailer = createCountingMailer(
    {
      send: async () => {
        const error = errors.shift();
        if (error) throw error;
      },
    },
    readMetrics,
  );
  for (let email = 0; email < 4; email += 1) await mailer.send({} as Email).catch(() => {});
  const metricsText = await readMetrics.text();
  expect(metricsText).toContain('fund_mails_total{outcome="sent"} 2\n');
  expect(metricsText).toContain('fund_mails_total{outcome="rejected"} 1\n');
  expect(metricsText).toContain('fund_mails_total{outcome="failed"} 1\n');
});

test('shared figures are read from the database once a minute', async () => {
  const clock = createTestClock();
  const { readMetrics } = await startSite(TOKEN, clock.now);
  const { log } = createLogSpy();
  const queues = await openQueues(db, log, QUEUED_JOBS);
  onTestFinished(() => queues.stop());
  const orgId = await addOrg(db);
  const enqueue = () =>
    inTransaction(db, (tx) => queues.enqueue(tx, sendReceiptEmail, { orgId, receiptNumber: 1, mailingId: 'first' }));
  await enqueue();
  await addCheckout(db, orgId, { id: newId(), payment_status: 'unpaid', provider_session_id: 'cs_1' });
  const initialMetrics = await readMetrics();
  expect(initialMetrics).toMatch(/^fund_jobs_waiting\{queue="send-receipt-email"\} 1$/m);
  expect(initialMetrics).toMatch(/^fund_jobs_oldest_seconds\{queue="send-receipt-email"\} \d/m);
  expect(initialMetrics).toMatch(/^fund_checkouts_unsettled 1$/m);
  expect(initialMetrics).toMatch(/^fund_books_differences 0$/m);
  expect(initialMetrics).toMatch(/^fund_books_provider_differences 0$/m);
  expect(initialMetrics).toMatch(/^fund_alarm_active\{alarm="books-differ"\} 0$/m);
  expect(initialMetrics).toMatch(/^fund_alarm_active\{alarm="disk-low"\} 0$/m);
  expect(initialMetrics).toMatch(/^fund_gifts_last_day\{kind="payment"\} 0$/m);
  expect(initialMetrics).not.toContain('fund_webhook_last_timestamp_seconds');
  await enqueue();
  expect(await readMetrics()).toMatch(/^fund_jobs_waiting\{queue="send-receipt-email"\} 1$/m);
  clock.advance(MINUTE);
  expect(await readMetrics()).toMatch(/^fund_jobs_waiting\{queue="send-receipt-email"\} 2$/m);
});

test('the last day’s gifts are counted and summed by kind, and alarms from any machine are reported', async () => {
  const clock = createTestClock();
  const { readMetrics } = await startSite(TOKEN, clock.now);
  const orgId = await addOrg(db);
  const initialCents = valueIn(await readMetrics(), 'fund_gift_cents_last_day{kind="payment"}');
  await addGift(db, orgId);
  await db.kysely.insertInto('alarms').values({ name: 'clock-wrong@one', is_on: true }).execute();
  clock.advance(2 * MINUTE);
  const metricsText = await readMetrics();
  expect(valueIn(metricsText, 'fund_gift_cents_last_day{kind="payment"}') - initialCents).toBe(2500);
  expect(valueIn(metricsText, 'fund_alarm_active{alarm="clock-wrong"}')).toBe(1);
});

function valueIn(metricsText: string, series: string): number {
  const line = metricsText.split('\n').find((candidate) => candidate.startsWith(`${series} `));
  return Number(line?.slice(series.length));
}

test('the database, the clock, and calls to services are measured', async () => {
  const readMetrics = createMetrics();
  readMetrics.query(0.02);
  readMetrics.query(2);
  await timeCall(readMetrics, 'storage', async () => 'a picture');
  await expect(timeCall(readMetrics, 'mail', () => Promise.reject(new Error('no response')))).rejects.toThrow(
    'no response',
  );
  await expect(
    timeCall(
      readMetrics,
      'stripe',
      () => Promise.reject(new EmailRejectedError('550')),
      (error) => error instanceof EmailRejectedError,
    ),
  ).rejects.toThrow();
  const lines = (await readMetrics.text()).split('\n');
  expect(lines).toContain('fund_database_query_duration_seconds_bucket{le="0.025"} 1');
  expect(lines).toContain('fund_database_query_duration_seconds_count 2');
  expect(lines).toContain('fund_service_up{service="storage"} 1');
  expect(lines).toContain('fund_service_up{service="mail"} 0');
  expect(lines).toContain('fund_service_up{service="stripe"} 1');
  expect(lines).toContain('fund_service_call_duration_seconds_count{service="mail"} 1');
  expect(await (await startSite(TOKEN)).readMetrics()).toMatch(/^fund_database_up 1$/m);
});
