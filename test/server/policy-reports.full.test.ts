import { expect, test } from 'vitest';
import { POLICY_REPORTS_PATH } from '#contract/calls.ts';
import type { PolicyReport } from '#contract/schemas/policy-reports.ts';
import { sweepPolicyReports } from '#server/features/policy-reports/policy-reports.routes.ts';
import { LIMITS } from '#server/features/rate-limits/limits.ts';
import { buildTestApp, testDeps } from '#test/support/build-app.ts';
import { call } from '#test/support/call.ts';
import { DAY, testClock } from '#test/support/clock.ts';
import { testDatabase } from '#test/support/database.ts';
import { signIn } from '#test/support/sign-in.ts';

const db = await testDatabase();
const clock = testClock();
const deps = await testDeps(db, { now: clock.now });
const app = await buildTestApp(deps);

let clients = 0;
function nextClient(): string {
  clients += 1;
  return `192.0.2.${clients}`;
}

/** By default from a client of its own. */
async function send(content: unknown, type = 'application/reports+json', from = nextClient()) {
  const payload = typeof content === 'string' ? content : JSON.stringify(content);
  const answer = await app.inject({
    ...{ method: 'POST', url: POLICY_REPORTS_PATH, headers: { 'content-type': type }, payload, remoteAddress: from },
  });
  return answer.statusCode;
}

async function shown(): Promise<PolicyReport[]> {
  const admin = await signIn(deps, { admin: true });
  const answer = await call(app, 'readPolicyReports', { params: {}, as: admin });
  expect(answer.statusCode).toBe(200);
  return answer.json<PolicyReport[]>();
}

const emptied = () => db.kysely.deleteFrom('policy_reports').execute();
const violation = (body: object) => ({ type: 'csp-violation', age: 3, url: 'https://x.example', body });
const SCRIPT = {
  documentURL: 'https://fund.example/orgs/sample/gifts/a-secret-key?email=ada@example.org',
  effectiveDirective: 'script-src-elem',
  blockedURL: 'https://evil.example/steal.js?who=ada@example.org',
  sourceFile: 'https://fund.example/assets/main-1a2b.js',
};

test('a page says where to report, and its browser may use nothing that no page needs', async () => {
  const { headers } = await app.inject('/api/docs');
  expect(headers['reporting-endpoints']).toBe('blocked="/api/policy-reports"');
  const permissions = String(headers['permissions-policy']).split(', ');
  for (const feature of ['camera', 'microphone', 'geolocation', 'payment', 'usb'])
    expect(permissions).toContain(`${feature}=()`);
  expect(permissions).toContain('publickey-credentials-get=(self)');
  const inProduction = await buildTestApp({ ...deps, production: true });
  for (const [each, reportTo] of [
    [app, []],
    [inProduction, ['report-to blocked']],
  ] as const) {
    const policy = String((await each.inject('/robots.txt')).headers['content-security-policy']).split(';');
    expect(policy.filter((part) => part.startsWith('report'))).toEqual(['report-uri /api/policy-reports', ...reportTo]);
  }
});

test('reports of both kinds are counted together, without what could name a person', async () => {
  await emptied();
  expect(await send([violation(SCRIPT), violation(SCRIPT), { type: 'deprecation', body: {} }])).toBe(204);
  clock.pass(1000);
  const old = {
    'csp-report': {
      'document-uri': SCRIPT.documentURL,
      'violated-directive': 'script-src-elem',
      'blocked-uri': SCRIPT.blockedURL,
      'source-file': SCRIPT.sourceFile,
      'script-sample': 'ada@example.org',
    },
  };
  expect(await send(old, 'application/csp-report')).toBe(204);
  const [report, ...others] = await shown();
  expect(others).toEqual([]);
  expect(report).toEqual({
    directive: 'script-src-elem',
    blocked: 'https://evil.example',
    page: '/orgs/:orgid/gifts/:giftkey',
    source: '/assets/main-1a2b.js',
    count: 2,
    firstTimestamp: new Date(clock.now().getTime() - 1000).toISOString(),
    lastTimestamp: clock.now().toISOString(),
  });
});

test.each([
  [{ ...SCRIPT, blockedURL: 'inline' }, 'inline'],
  [{ ...SCRIPT, blockedURL: 'data' }, 'data'],
  [{ ...SCRIPT, blockedURL: 'chrome-extension://abcdef/inject.js' }, 'chrome-extension'],
  [{ ...SCRIPT, blockedURL: 'https://fund.example/media/secret' }, 'self'],
  [{ ...SCRIPT, blockedURL: 'wss://user:password@evil.example:99/path' }, 'wss://evil.example:99'],
  [{ ...SCRIPT, blockedURL: `https://${'x'.repeat(200)}.example/` }, `https://${'x'.repeat(92)}`],
])('of %o the place that was blocked is kept', async (body, blocked) => {
  await emptied();
  expect(await send([violation(body)])).toBe(204);
  expect((await shown()).map((report) => report.blocked)).toEqual([blocked]);
});

test.each([
  [[], 'application/reports+json', 204],
  [[violation({})], 'application/reports+json', 204],
  [[violation({ ...SCRIPT, effectiveDirective: '<b>' })], 'application/reports+json', 204],
  [[violation({ ...SCRIPT, blockedURL: '\u0000' })], 'application/reports+json', 400],
  [[{ type: 'csp-violation', body: null }], 'application/reports+json', 204],
  [Array(51).fill(violation(SCRIPT)), 'application/reports+json', 400],
  [{}, 'application/csp-report', 400],
  [null, 'application/csp-report', 400],
  ['{"__proto__":{}}', 'application/csp-report', 400],
  ['{', 'application/csp-report', 400],
  ['', 'application/csp-report', 400],
  [[], 'application/json', 415],
  [[], 'text/plain', 415],
  [[violation({ documentURL: 'x'.repeat(70_000) })], 'application/reports+json', 413],
])('what is no report is not kept: %#', async (content, type, status) => {
  await emptied();
  expect(await send(content, type)).toBe(status);
  expect(await shown()).toEqual([]);
});

test('a flood of different reports fills no more than its table, and known ones still count', async () => {
  await emptied();
  await send([violation(SCRIPT)]);
  for (let part = 0; part < 24; part += 1) {
    const some = Array.from({ length: 25 }, (_, at) =>
      violation({ ...SCRIPT, blockedURL: `https://e${part}-${at}.example` }),
    );
    expect(await send(some)).toBe(204);
  }
  const rows = () => db.kysely.selectFrom('policy_reports').select('count').execute();
  expect(await rows()).toHaveLength(500);
  await send([violation(SCRIPT)]);
  const kept = await rows();
  expect([kept.length, kept.filter(({ count }) => count === 2).length]).toEqual([500, 1]);
});

test('a client that makes reports up leaves room for those of others', async () => {
  await emptied();
  const made = Array.from({ length: 30 }, (_, at) =>
    violation({ ...SCRIPT, blockedURL: `https://made-up-${at}.example` }),
  );
  expect(await send(made, undefined, '198.51.100.3')).toBe(204);
  expect(await shown()).toHaveLength(25);
  // What is known still counts, and others have room.
  expect(await send([made[0]], undefined, '198.51.100.3')).toBe(204);
  expect(await send([violation(SCRIPT)], undefined, '198.51.100.4')).toBe(204);
  const counts = (await shown()).map(({ count }) => count);
  expect([counts.length, Math.max(...counts)]).toEqual([26, 2]);
});

test('one client sends a limited number, and others are not refused for it', async () => {
  await emptied();
  const [{ most }] = LIMITS['policy-report'].counts;
  for (let sent = 0; sent < most; sent += 1) await send([], undefined, '198.51.100.1');
  expect(await send([violation(SCRIPT)], undefined, '198.51.100.1')).toBe(429);
  expect(await send([violation(SCRIPT)], undefined, '198.51.100.2')).toBe(204);
});

test('what is not reported again for 30 days is forgotten', async () => {
  await emptied();
  await send([violation(SCRIPT)]);
  clock.pass(30 * DAY);
  await sweepPolicyReports(deps);
  expect(await shown()).toHaveLength(1);
  clock.pass(1000);
  await sweepPolicyReports(deps);
  expect(await shown()).toEqual([]);
});

test('security.txt says whom to tell about a hole, for half a year', async () => {
  const answer = await app.inject('/.well-known/security.txt');
  expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8']);
  const fields = answer.body
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
