// @spec decisions.1
import { expect, test } from 'vitest';
import { site } from '#contract/schemas/site.ts';
import { buildTestApp, createTestDeps, PARENT } from '#test/support/build-app.ts';
import { createTestDatabase } from '#test/support/database.ts';

const db = await createTestDatabase();

test('the site response has the parent organization and whether payments are real', async () => {
  const app = await buildTestApp(await createTestDeps(db, { settings: { defaultOrg: 'ithaca' }, sandbox: true }));
  const response = await app.inject('/api/site');
  expect(response.statusCode).toBe(200);
  expect(site.strict().parse(response.json())).toEqual({
    parentName: PARENT.name,
    parentEin: PARENT.ein,
    parentAddress: PARENT.address,
    contactEmail: PARENT.contactEmail,
    stateRegistration: '',
    annualReportUrl: null,
    publicUrl: expect.stringMatching(/^https?:\/\//),
    defaultOrg: 'ithaca',
    sandbox: true,
    testPayments: false,
    googleSignIn: false,
    placesCredit: { text: 'GeoNames', url: 'https://www.geonames.org' },
  });
});
