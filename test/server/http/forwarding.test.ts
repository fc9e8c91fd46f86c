import Fastify, { type FastifyBaseLogger } from 'fastify';
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { warnAboutUntrustedProxy } from '#server/http/forwarding.ts';

async function collectWarnings(
  trustProxy: string[] | false,
  headersList: Readonly<Record<string, string>>[],
): Promise<unknown[]> {
  const warnings: unknown[] = [];
  const logger: FastifyBaseLogger = pino(
    { level: 'warn' },
    { write: (line: string) => void warnings.push(JSON.parse(line)) },
  );
  const app = Fastify({ loggerInstance: logger, trustProxy });
  onTestFinished(() => app.close());
  warnAboutUntrustedProxy(app);
  app.get('/', async () => 'here');
  for (const headers of headersList) await app.inject({ url: '/', headers, remoteAddress: '10.0.0.7' });
  return warnings;
}

test.each([{ 'x-forwarded-for': '203.0.113.9' }, { forwarded: 'for=203.0.113.9' }])(
  'a forwarding header from an untrusted peer is logged once: %j',
  async (header) => {
    const warnings = await collectWarnings(false, [{}, header, header, header]);
    expect(warnings).toMatchObject([{ peer: '10.0.0.7', msg: expect.stringContaining('TRUSTED_PROXIES') }]);
    expect(await collectWarnings(['10.0.0.8'], [header])).toHaveLength(1);
  },
);

test('a trusted proxy or a visitor without a proxy causes no log entry', async () => {
  expect(await collectWarnings(['10.0.0.0/8'], [{ 'x-forwarded-for': '203.0.113.9' }])).toEqual([]);
  expect(await collectWarnings(false, [{}])).toEqual([]);
});
