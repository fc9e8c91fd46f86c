// @spec 6.token decisions.6
import { randomUUID } from 'node:crypto';
import Fastify, { type FastifyInstance } from 'fastify';
import { expect, onTestFinished, test } from 'vitest';
import { Failure } from '#domain/failures.ts';
import type { Actor } from '#domain/permissions.ts';
import { tooManyRequests } from '#domain/server-failures.ts';
import type { Identity } from '#server/gateways/identity/identity.ts';
import { type CallDeps, type CallHandler, registerCall } from '#server/http/call-route.ts';
import { ListPage } from '#server/http/list-page.ts';
import { handleErrors } from '#server/http/problems.ts';
import { createLogger } from '#server/log.ts';
import { createAnyOrg, createUnreachableDatabase } from '#test/support/unreachable-database.ts';

type LogEntry = {
  readonly level: number;
  readonly time: string;
  readonly reqId: string;
  readonly msg: string;
  readonly err?: { stack: string };
};

const ORG = {
  id: 'ours',
  slug: 'ours',
  name: 'Ours',
  tag: 'Ours',
  photoURL: null,
  photo: null,
  stats: { co2: 0, gas: 0, funds: 0, grants: 0 },
  statsDelta: { co2: 0, gas: 0, funds: 0, grants: 0 },
  statsUpdatedTimestamp: '2026-03-14T09:30:00.000Z',
  noAwardees: false,
  takesApplications: true,
  isSample: false,
  place: '',
  homeCity: null,
  typicalGrant: null,
  savingYears: 20,
  timeZone: 'America/New_York',
  createdTimestamp: '2026-03-14T09:30:00.000Z',
  version: 1,
};

type TokenReader = Pick<Identity, 'findActor'>;

const noUsers: TokenReader = { findActor: async () => undefined };

/** Creates a server, with its log, whose only call is handled by the test. */
async function createServer(handler: Partial<CallHandler<'readOrg'>>, identity: TokenReader = noUsers, level = 'warn') {
  const lines: string[] = [];
  const logEntries: LogEntry[] = [];
  const write = (line: string) => {
    lines.push(line);
    logEntries.push(JSON.parse(line));
  };
  const app: FastifyInstance = Fastify({
    loggerInstance: createLogger(level, { write }),
    genReqId: () => randomUUID(),
  });
  onTestFinished(() => app.close());
  handleErrors(app);
  const findOrg: CallDeps['findOrg'] = async (id) => (id === 'missing' ? undefined : createAnyOrg(id));
  const now = () => new Date('2026-01-01T00:05:01Z');
  registerCall(app, { db: createUnreachableDatabase(), identity, findOrg, now }, 'readOrg', {
    action: 'org.read',
    handle: async () => ORG,
    ...handler,
  });
  const readOrg = (orgId = 'ours', headers = {}) => app.inject({ url: `/api/orgs/${orgId}`, headers });
  return { lines, logEntries, readOrg };
}

const editorOfOurs = {
  kind: 'user' as const,
  userId: 'u1',
  sessionId: 's1',
  issuedAt: new Date('2026-01-01T00:00:00Z'),
  authenticatedAt: new Date('2026-01-01T00:00:00Z'),
  hasStaleToken: false,
  hasSecondFactor: false,
  admin: false,
  emailVerified: true,
  roles: { ours: 'editor' as const },
};
const buildTokenReader = (actor: Actor): TokenReader => ({
  findActor: async (token) => (token === 'good' ? actor : undefined),
});
const tokenHeaders = { authorization: 'Bearer good' };

// @asvs 13.4.2 16.3.4 16.5.1
test('an unexpected error returns one sentence and is logged once, in full, with the response’s id', async () => {
  const { readOrg, logEntries } = await createServer({
    handle: async () => {
      throw new Error('password authentication failed for user "fund" at 10.0.0.7');
    },
  });
  const response = await readOrg();
  expect(response.statusCode).toBe(500);
  expect(response.json()).toEqual({
    type: '/api/docs#server-error',
    title: 'Server error',
    status: 500,
    code: 'server-error',
    detail: 'Something went wrong on our side. Please try again.',
    requestId: expect.stringMatching(/^[\w-]{36}$/),
  });
  expect(logEntries).toHaveLength(1);
  expect(logEntries[0]).toMatchObject({ level: 50, reqId: response.json().requestId, msg: 'a request failed' });
  expect(logEntries[0]?.err?.stack).toContain('password authentication failed');
});

// @asvs 16.3.4
test.each([
  ['a full disk', { code: 'ENOSPC' }],
  ['a full database disk', { code: '53100' }],
  ['a database that stops', { code: '57P01' }],
  ['a lost connection', {}],
])('%s is treated as an interruption and logged', async (_, details) => {
  const interruption = Object.assign(new Error('Connection terminated unexpectedly'), details);
  const { readOrg, logEntries } = await createServer({ handle: () => Promise.reject(interruption) });
  const response = await readOrg();
  expect(response.statusCode).toBe(503);
  expect(response.json()).toMatchObject({
    code: 'database-unavailable',
    detail: 'This site isn’t working right now. Please try again in a few minutes.',
  });
  expect(logEntries).toHaveLength(1);
});

test('a client error from another system is reported as a server error', async () => {
  const bucketError = Object.assign(new Error('No such bucket: fund-pictures'), {
    statusCode: 404,
    code: 'NoSuchBucket',
  });
  const { readOrg, logEntries } = await createServer({ handle: () => Promise.reject(bucketError) });
  const response = await readOrg();
  expect([response.statusCode, response.json().code]).toEqual([500, 'server-error']);
  expect(response.body).not.toContain('bucket');
  expect(logEntries).toHaveLength(1);
});

test('a failure gives the same problem whether returned or thrown, without a warning', async () => {
  const failure = new Failure('invalid-email', { email: 'nope', field: 'email' });
  const returningServer = await createServer({ handle: async () => failure });
  const throwingServer = await createServer({ handle: () => Promise.reject(failure) });
  const [first, second] = [await returningServer.readOrg(), await throwingServer.readOrg()];
  for (const response of [first, second]) {
    expect(response.statusCode).toBe(422);
    expect(response.json()).toMatchObject({ code: 'invalid-email', field: 'email', detail: 'Not a valid email: nope' });
  }
  expect([...returningServer.logEntries, ...throwingServer.logEntries]).toEqual([]);
});

// @asvs 16.2.1 16.2.2 16.3.2
test('a forbidden call is logged with time, user, address, and call', async () => {
  const { readOrg, logEntries } = await createServer({ action: 'org.edit' }, buildTokenReader(editorOfOurs));
  const response = await readOrg('theirs', tokenHeaders);
  expect(logEntries).toEqual([
    {
      level: 40,
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      pid: expect.any(Number),
      hostname: expect.any(String),
      reqId: response.json().requestId,
      client: '127.0.0.1',
      user: 'u1',
      code: 'forbidden',
      call: 'readOrg',
      msg: 'a request was rejected',
    },
  ]);
});

// @asvs 16.2.5 16.3.3
test.each([
  ['too many requests', tooManyRequests(30), 40],
  ['an unverified address', new Failure('email-unverified'), 40],
  ['wrong input', new Failure('invalid-email', { email: 'nope', field: 'email' }), 30],
])('%s is logged by its code, without the input', async (_title, failure, level) => {
  const { readOrg, lines, logEntries } = await createServer({ handle: async () => failure }, noUsers, 'info');
  await readOrg();
  const { field } = failure.details;
  expect(logEntries).toContainEqual(
    expect.objectContaining({ level, code: failure.code, ...(field ? { field } : {}) }),
  );
  expect(lines.join('')).not.toContain('nope');
  expect(lines.join('').includes('127.0.0.1')).toBe(level === 40);
});

// @asvs 1.3.10 16.2.4 16.4.1
test('a log entry is always one line, without queries, gift keys, or headers', async () => {
  const { readOrg, lines, logEntries } = await createServer({}, noUsers, 'info');
  await readOrg('x%0A%7B%22level%22:60%7D%E2%80%A8%25s%25o?code=secretcode&%0A', {
    authorization: 'Bearer secrettoken',
    cookie: 'session=secretcookie',
    'user-agent': '{"level":60}\u001b[31m',
  });
  expect(lines.length).toBeGreaterThan(1);
  for (const line of lines) expect(line.trimEnd().split(/[\n\r\u2028]/)).toHaveLength(1);
  expect(logEntries.map(({ level }) => level)).not.toContain(60);
  expect(lines.join('')).not.toContain('secret');
  expect(lines.join('')).not.toContain('\u001b');
  const paths: string[] = [];
  const log = createLogger('info', { write: (line) => paths.push(JSON.parse(line).req.path) });
  log.info({ req: { method: 'GET', url: '/orgs/a/gifts/secretkey?code=secretcode' } }, 'page');
  log.info({ req: { method: 'GET', url: '/api/orgs/a/recurring-gifts/secretkey' } }, 'call');
  log.info({ req: { method: 'GET', url: '/api/orgs/city-gifts/recurring-gifts/secretkey' } }, 'call');
  log.info({ req: { method: 'GET', url: '/orgs/gifts/gifts/secretkey' } }, 'page');
  expect(paths).toEqual([
    '/orgs/a/gifts/…',
    '/api/orgs/a/recurring-gifts/…',
    '/api/orgs/city-gifts/recurring-gifts/…',
    '/orgs/gifts/…/…',
  ]);
});

// @asvs 15.3.1
test('fields outside the response schema are not sent', async () => {
  const { readOrg } = await createServer({ handle: async () => ({ ...ORG, editors: ['u1'], email: 'a@b.example' }) });
  expect((await readOrg()).json()).toEqual(ORG);
});

// @asvs 16.5.3
test('a response that doesn’t fit its schema is not sent', async () => {
  const { readOrg, logEntries } = await createServer({
    handle: async () => ({ ...ORG, createdTimestamp: 'yesterday' }),
  });
  const response = await readOrg();
  expect([response.statusCode, response.json().code]).toEqual([500, 'server-error']);
  expect(response.body).not.toContain('yesterday');
  expect(logEntries).toHaveLength(1);
});

test.each([
  'org.create',
  'org.edit',
  'cells.edit',
  'editors.manage',
  'users.manage',
  'session.read',
  'admin.visit',
] as const)('an unauthorized visitor is rejected before anything happens: %s', async (action) => {
  let wasHandled = false;
  const handle = async () => {
    wasHandled = true;
    return ORG;
  };
  const { readOrg } = await createServer({ action, handle });
  const response = await readOrg();
  expect([response.statusCode, response.json().code]).toEqual([401, 'login-required']);
  expect(response.headers['www-authenticate']).toBe('Bearer');
  expect(wasHandled).toBe(false);
});

test('permissions are checked for the organization of the call', async () => {
  const { readOrg } = await createServer({ action: 'org.edit' }, buildTokenReader(editorOfOurs));
  expect((await readOrg('ours', tokenHeaders)).statusCode).toBe(200);
  expect((await readOrg('theirs', tokenHeaders)).statusCode).toBe(403);
  expect((await readOrg('ours')).statusCode).toBe(401);
});

test('a call in an unknown organization is rejected first, and the handler receives the organization found', async () => {
  const receivedOrgs: unknown[] = [];
  const handle: CallHandler<'readOrg'>['handle'] = async ({ org }) => {
    receivedOrgs.push(org);
    return ORG;
  };
  const { readOrg } = await createServer({ action: 'org.edit', handle }, buildTokenReader(editorOfOurs));
  const response = await readOrg('missing');
  expect([response.statusCode, response.json().code]).toEqual([404, 'org-not-found']);
  await readOrg('ours', tokenHeaders);
  expect(receivedOrgs).toEqual([createAnyOrg('ours')]);
});

test('a call that needs a fresh token rejects one older than 5 minutes', async () => {
  const { readOrg } = await createServer(
    { action: 'org.edit', requirement: 'fresh-token' },
    buildTokenReader(editorOfOurs),
  );
  const response = await readOrg('ours', tokenHeaders);
  expect([response.statusCode, response.json().code]).toEqual([401, 'token-stale']);
  expect(response.headers['www-authenticate']).toBe('Bearer error="invalid_token"');
});

test.each(['recent-confirmation', () => 'recent-confirmation'] as const)(
  'a call that needs a recent confirmation rejects a new token without one, and states the maximum age',
  async (requirement) => {
    const authenticatedAt = new Date('2025-12-31T22:00:00Z');
    const handle = async () => expect.unreachable();
    const { readOrg } = await createServer(
      { action: 'org.edit', requirement, handle },
      buildTokenReader({ ...editorOfOurs, authenticatedAt }),
    );
    const response = await readOrg('ours', tokenHeaders);
    expect([response.statusCode, response.json().code]).toEqual([401, 'confirmation-required']);
    expect(response.headers['www-authenticate']).toBe('Bearer error="insufficient_user_authentication", max_age=3600');
  },
);

test.each(['Bearer bad', 'bearer', 'Bearer good extra', 'Token good', 'good', ''])(
  'a token that identifies no one rejects even a public call: %j',
  async (authorization) => {
    const { readOrg } = await createServer({}, buildTokenReader(editorOfOurs));
    const response = await readOrg('ours', { authorization });
    expect([response.statusCode, response.json().code]).toEqual([401, 'token-invalid']);
  },
);

test('the handler receives the caller', async () => {
  const actors: Actor[] = [];
  const handle: CallHandler<'readOrg'>['handle'] = async ({ actor }) => {
    actors.push(actor);
    return ORG;
  };
  const { readOrg } = await createServer({ handle }, buildTokenReader(editorOfOurs));
  await readOrg('ours', tokenHeaders);
  await readOrg('ours');
  expect(actors).toEqual([editorOfOurs, { kind: 'visitor' }]);
});

// @asvs 14.2.2 14.3.2
test('a response isn’t cacheable, and only a list with more items has a cursor', async () => {
  const { readOrg } = await createServer({});
  const response = await readOrg();
  expect(response.headers['cache-control']).toBe('no-store');
  expect(response.headers).not.toHaveProperty('x-next-cursor');
  const listServer = await createServer({ handle: async () => new ListPage(ORG, 'id-9') });
  expect((await listServer.readOrg()).headers['x-next-cursor']).toBe('id-9');
});

test('a rate-limited caller gets the time to wait', async () => {
  const { readOrg } = await createServer({ handle: async () => tooManyRequests(30) });
  const response = await readOrg();
  expect([response.statusCode, response.headers['retry-after']]).toEqual([429, '30']);
});
