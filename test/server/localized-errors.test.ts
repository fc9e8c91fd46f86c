import { expect, test } from 'vitest';
import type { Problem } from '#contract/problem.ts';
import { buildTestApp, createTestDeps } from '#test/support/build-app.ts';
import { addOrg } from '#test/support/builders/org.ts';
import { call } from '#test/support/call.ts';
import { createTestDatabase } from '#test/support/database.ts';

const db = await createTestDatabase();
const app = await buildTestApp(await createTestDeps(db));
const orgId = await addOrg(db);

const flight = { type: 'offset', offsetType: 'air', carbon: 100, cost: 9 };

test.each([
  ['en', 'Air travel costs $1.25, not $9.00. Please remove it and add it again.'],
  ['es', 'Viaje en avión: cuesta $1.25, y no $9.00. Quite esta línea y agréguela de nuevo.'],
  ['es-MX,es;q=0.9', 'Air travel costs $1.25, not $9.00. Please remove it and add it again.'],
  [undefined, 'Air travel costs $1.25, not $9.00. Please remove it and add it again.'],
])('errors match the page’s language (%s) and have the same code', async (language, detail) => {
  const response = await call(app, 'createCheckout', {
    params: { orgid: orgId },
    body: { cart: [flight] },
    ...(language === undefined ? {} : { language }),
  });
  expect(response.json<Problem>()).toMatchObject({ code: 'cost-mismatch', title: 'Cost mismatch', detail });
  expect(response.headers['content-language']).toBe(detail.startsWith('Viaje') ? 'es' : 'en');
});

test('errors that occur before a call is parsed are localized too', async () => {
  const { headers, body } = await app.inject({
    url: '/api/none',
    headers: { 'accept-language': 'es' },
  });
  expect(headers['content-language']).toBe('es');
  expect(JSON.parse(body)).toMatchObject({ code: 'call-not-found', detail: 'Este punto de acceso no existe.' });
});
