// @spec decisions.4
import { pino } from 'pino';
import { afterAll, expect, test } from 'vitest';
import { POLICY_REPORTS_PATH } from '#contract/calls.ts';
import { buildApp } from '#server/app.ts';
import { LIMITS } from '#server/features/rate-limits/limits.ts';
import { buildTestApp, createTestDeps } from '#test/support/build-app.ts';
import { createTestClock, DAY } from '#test/support/clock.ts';
import { createTestDatabase } from '#test/support/database.ts';

const db = await createTestDatabase();
const clock = createTestClock();
const deps = await createTestDeps(db, { now: clock.now });
const logLines: string[] = [];
const logger = pino({ level: 'warn' }, { write: (line: string) => void logLines.push(line) });
const app = await buildApp(deps, { logger });
afterAll(() => app.close());

let clientCount = 0;
function nextClient(): string {
  clientCount += 1;
  return `192.0.2.${clientCount}`;
}

/** Sends a report, by default from a new client address. */
async function sendReport(content: unknown, type = 'application/reports+json', clientAddress = nextClient()) {
  const payload = typeof content === 'string' ? content : JSON.stringify(content);
  const response = await app.inject({
    method: 'POST',
    url: POLICY_REPORTS_PATH,
    headers: { 'content-type': type },
    payload,
    remoteAddress: clientAddress,
  });
  return response.statusCode;
}

/** Returns the logged reports and clears the log. */
function takeLoggedReports(): unknown[] {
  const entries = logLines.splice(0).map((line) => JSON.parse(line) as { msg: string; reports: unknown[] });
  return entries.filter(({ msg }) => msg === 'a browser blocked part of a page').flatMap(({ reports }) => reports);
}

async function countReports(): Promise<number> {
  const match = /^fund_policy_reports_total (\d+)$/m.exec(await deps.metrics.text());
  return Number(match?.[1] ?? 0);
}

const violation = (body: object) => ({ type: 'csp-violation', age: 3, url: 'https://x.example', body });
const SCRIPT_VIOLATION = {
  documentURL: 'https://fund.example/orgs/sample/gifts/a-secret-key?email=ada@example.org',
  effectiveDirective: 'script-src-elem',
  blockedURL: 'https://evil.example/steal.js?who=ada@example.org',
  sourceFile: 'https://fund.example/assets/main-1a2b.js',
};

test('a page names its report endpoint and disables unused browser features', async () => {
  const { headers } = await app.inject('/api/docs');
  expect(headers['reporting-endpoints']).toBe('blocked="/api/policy-reports"');
  const permissions = String(headers['permissions-policy']).split(', ');
  for (const feature of ['camera', 'microphone', 'geolocation', 'payment', 'usb'])
    expect(permissions).toContain(`${feature}=()`);
  expect(permissions).toContain('publickey-credentials-get=(self)');
  const productionApp = await buildTestApp({ ...deps, settings: { ...deps.settings, production: true } });
  for (const [testedApp, reportTo] of [
    [app, []],
    [productionApp, ['report-to blocked']],
  ] as const) {
    const policy = String((await testedApp.inject('/robots.txt')).headers['content-security-policy']).split(';');
    expect(policy.filter((part) => part.startsWith('report'))).toEqual(['report-uri /api/policy-reports', ...reportTo]);
  }
});

test('logs and counts reports in both CSP formats, without query strings or secrets', async () => {
  const initialCount = await countReports();
  expect(await sendReport([violation(SCRIPT_VIOLATION), { type: 'deprecation', body: {} }])).toBe(204);
  const legacyReport = {
    'csp-report': {
      'document-uri': SCRIPT_VIOLATION.documentURL,
      'violated-directive': 'script-src-elem',
      'blocked-uri': SCRIPT_VIOLATION.blockedURL,
      'source-file': SCRIPT_VIOLATION.sourceFile,
      'script-sample': 'ada@example.org',
    },
  };
  expect(await sendReport(legacyReport, 'application/csp-report')).toBe(204);
  const report = {
    directive: 'script-src-elem',
    blocked: 'https://evil.example',
    page: '/orgs/:orgid/gifts/:giftkey',
    source: '/assets/main-1a2b.js',
  };
  expect(takeLoggedReports()).toEqual([report, report]);
  expect((await countReports()) - initialCount).toBe(2);
});

test('a page in Spanish is also logged by its path pattern', async () => {
  const documentURL = 'https://fund.example/es/orgs/ithaca/donate';
  expect(await sendReport([violation({ ...SCRIPT_VIOLATION, documentURL })])).toBe(204);
  expect(takeLoggedReports()).toEqual([expect.objectContaining({ page: '/orgs/:orgid/donate' })]);
});

test.each([
  [{ ...SCRIPT_VIOLATION, blockedURL: 'inline' }, 'inline'],
  [{ ...SCRIPT_VIOLATION, blockedURL: 'data' }, 'data'],
  [{ ...SCRIPT_VIOLATION, blockedURL: 'chrome-extension://abcdef/inject.js' }, 'chrome-extension'],
  [{ ...SCRIPT_VIOLATION, blockedURL: 'https://fund.example/media/secret' }, 'self'],
  [{ ...SCRIPT_VIOLATION, blockedURL: 'wss://user:password@evil.example:99/path' }, 'wss://evil.example:99'],
  [{ ...SCRIPT_VIOLATION, blockedURL: `https://${'x'.repeat(200)}.example/` }, `https://${'x'.repeat(92)}`],
])('logs only the origin or scheme of %o', async (body, blocked) => {
  expect(await sendReport([violation(body)])).toBe(204);
  expect(takeLoggedReports()).toEqual([expect.objectContaining({ blocked })]);
});

test.each([
  [[], 'application/reports+json', 204],
  [[violation({})], 'application/reports+json', 204],
  [[violation({ ...SCRIPT_VIOLATION, effectiveDirective: '<b>' })], 'application/reports+json', 204],
  [[violation({ ...SCRIPT_VIOLATION, blockedURL: '\u0000' })], 'application/reports+json', 400],
  [[{ type: 'csp-violation', body: null }], 'application/reports+json', 204],
  [Array(51).fill(violation(SCRIPT_VIOLATION)), 'application/reports+json', 400],
  [{}, 'application/csp-report', 400],
  [null, 'application/csp-report', 400],
  ['{"__proto__":{}}', 'application/csp-report', 400],
  ['{', 'application/csp-report', 400],
  ['', 'application/csp-report', 400],
  [[], 'application/json', 415],
  [[], 'text/plain', 415],
  [[violation({ documentURL: 'x'.repeat(70_000) })], 'application/reports+json', 413],
])('a malformed report is neither logged nor counted: %#', async (content, type, status) => {
  const initialCount = await countReports();
  expect(await sendReport(content, type)).toBe(status);
  expect(takeLoggedReports()).toEqual([]);
  expect(await countReports()).toBe(initialCount);
});

test('logs at most five of a browser’s simultaneous reports but counts them all', async () => {
  const initialCount = await countReports();
  const reports = Array.from({ length: 50 }, (_, index) =>
    violation({ ...SCRIPT_VIOLATION, blockedURL: `https://e${index}.example` }),
  );
  expect(await sendReport(reports)).toBe(204);
  expect(takeLoggedReports()).toHaveLength(5);
  expect((await countReports()) - initialCount).toBe(50);
});

test('limits one client’s reports without affecting others', async () => {
  const [{ max }] = LIMITS['policy-report'].counts;
  for (let count = 0; count < max; count += 1) await sendReport([], undefined, '198.51.100.1');
  expect(await sendReport([violation(SCRIPT_VIOLATION)], undefined, '198.51.100.1')).toBe(429);
  expect(await sendReport([violation(SCRIPT_VIOLATION)], undefined, '198.51.100.2')).toBe(204);
});

test('security.txt lists the contact and expires in 180 days', async () => {
  const response = await app.inject('/.well-known/security.txt');
  expect([response.statusCode, response.headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8']);
  const fields = response.body
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.split(': '));
  expect(fields).toEqual([
    ['Contact', 'mailto:contact@sample.example'],
    ['Expires', new Date(clock.now().getTime() + 180 * DAY).toISOString()],
    ['Preferred-Languages', 'en'],
    ['Canonical', 'https://fund.example/.well-known/security.txt'],
  ]);
});
