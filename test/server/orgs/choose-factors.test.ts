import { expect, test } from 'vitest';
import { embedPath } from '#contract/embed.ts';
import type { ResponseBody } from '#contract/schemas.ts';
import type { CartItem } from '#domain/cart.ts';
import { call, readOutcome } from '#test/support/call.ts';
import { startDonationSetup } from '#test/support/donation-setup.ts';
import { type SignedInPerson, signIn } from '#test/support/sign-in.ts';

const setup = await startDonationSetup();
const { app, db, deps, clock, orgId } = setup;
const edith = await signIn(deps, { name: 'Edith', editorOf: [orgId] });

const params = { orgid: orgId };
const DEFAULT_VERSION = '2026-1';
const CALIFORNIA = { electricity: { region: 'CAMX', year: 2023 } };
const CUSTOM_FACTOR = { value: '0.05', publisher: 'City Power', year: 2025, address: 'https://power.example/2025' };

const chooseFactors = (choice: object, baseVersion: string, reason = 'Our own grid', as: SignedInPerson = edith) =>
  call(app, 'chooseFactors', { params, body: { choice, reason, baseVersion } as never, as });
const readUsedFactors = async () => (await call(app, 'readOrg', { params })).json<ResponseBody<'readOrg'>>().factors;
const readAllFactors = async () => (await call(app, 'readFactors', { params })).json<ResponseBody<'readFactors'>>();
const createCheckout = (...cart: object[]) => setup.call('POST', `/api/orgs/${orgId}/checkouts`, { cart });

async function readCart(checkoutId: string): Promise<readonly CartItem[]> {
  const { cart } = await db.kysely
    .selectFrom('checkouts')
    .select('cart')
    .where('id', '=', checkoutId)
    .executeTakeFirstOrThrow();
  return cart;
}

test('an unsourced, implausible, or out-of-range factor is rejected and changes nothing', async () => {
  const invalidChoices: readonly [object, string][] = [
    [{ customFactors: { electricity: { value: '0.05' } } }, 'choice.customFactors.electricity.publisher'],
    [
      { customFactors: { electricity: { ...CUSTOM_FACTOR, publisher: ' ' } } },
      'choice.customFactors.electricity.publisher',
    ],
    [
      { customFactors: { electricity: { ...CUSTOM_FACTOR, address: 'javascript:alert(1)' } } },
      'choice.customFactors.electricity.address',
    ],
    [
      { customFactors: { electricity: { ...CUSTOM_FACTOR, year: undefined } } },
      'choice.customFactors.electricity.year',
    ],
    [{ customFactors: { electricity: { ...CUSTOM_FACTOR, value: '-1' } } }, 'choice.customFactors.electricity.value'],
    // In pounds per megawatt-hour, the wrong unit.
    [
      { customFactors: { electricity: { ...CUSTOM_FACTOR, value: '242.089' } } },
      'choice.customFactors.electricity.value',
    ],
    [{ customFactors: { carbonPrice: CUSTOM_FACTOR } }, 'choice.customFactors.carbonPrice'],
    [{ dollarsPerTon: 0 }, 'choice.dollarsPerTon'],
    [{ dollarsPerTon: 25.001 }, 'choice.dollarsPerTon'],
    [{ electricity: { region: 'XXXX', year: 2023 } }, 'choice.electricity.region'],
  ];
  for (const [choice, field] of invalidChoices) {
    expect((await chooseFactors(choice, DEFAULT_VERSION)).json(), JSON.stringify(choice)).toMatchObject({ field });
  }
  expect((await chooseFactors(CALIFORNIA, DEFAULT_VERSION, '  ')).json()).toMatchObject({ field: 'reason' });
  expect([await readUsedFactors(), await readAllFactors()]).toEqual([undefined, []]);
});

test('a factor set applies from its start, earlier sets stay readable, and a stale editor gets a conflict', async () => {
  const first = await chooseFactors({ ...CALIFORNIA, dollarsPerTon: 30 }, DEFAULT_VERSION);
  expect(first.json()).toEqual({
    version: '2026-1.1',
    effectiveDate: clock.now().toISOString(),
    reason: 'Our own grid',
    choice: { ...CALIFORNIA, dollarsPerTon: 30 },
    factors: expect.objectContaining({
      electricity: { value: '0.428464' },
      carbonPrice: { value: '0.015' },
      air: { value: '0.56' },
    }),
  });
  const {
    effectiveDate: _effectiveDate,
    reason: _reason,
    ...currentFactors
  } = first.json<ResponseBody<'chooseFactors'>>();
  expect(await readUsedFactors()).toEqual(currentFactors);
  expect(readOutcome(await chooseFactors({ flights: 'epa' }, DEFAULT_VERSION))).toEqual([409, 'factors-changed']);
  const second = await chooseFactors(
    { flights: 'epa', customFactors: { electricity: CUSTOM_FACTOR }, dollarsPerTon: 40 },
    '2026-1.1',
    'A new year',
  );
  expect(second.json()).toMatchObject({
    version: '2026-1.2',
    factors: {
      electricity: { value: '0.05' },
      air: { value: '0.359', shortFlights: [{ value: '0.456' }, { value: '0.284' }] },
    },
  });
  expect(await readAllFactors()).toEqual([second.json(), first.json()]);
  expect(await readUsedFactors()).toMatchObject({
    version: '2026-1.2',
    choice: { flights: 'epa', customFactors: { electricity: CUSTOM_FACTOR } },
  });
  const activity = await call(app, 'readActivity', { params, query: { max: '10' }, as: edith });
  expect(activity.json<ResponseBody<'readActivity'>>().filter(({ name }) => name === 'numbers.added')).toMatchObject([
    {
      changes: [
        { label: 'Version', after: '2026-1.2' },
        { label: 'Action', after: expect.stringContaining('0.428464 → 0.05') },
        { label: 'Reason', after: 'A new year' },
      ],
    },
    { changes: [{ after: '2026-1.1' }, { after: expect.stringContaining('0.0125 → 0.015') }, {}] },
  ]);
});

test('checkout accepts only today’s price, and an item keeps its factor version', async () => {
  const flight = { type: 'offset', offsetType: 'air', carbon: 1000 } as const;
  const initialFactors = await readUsedFactors();
  const currentItem = { ...flight, cost: 20 };
  const [{ version: newestVersion }] = [initialFactors ?? { version: '' }];
  const acceptItem = async (item: object) => {
    const response = await createCheckout(item);
    expect(response.statusCode).toBe(200);
    return (await readCart(response.json<{ id: string }>().id))[0]?.factorsVersion;
  };
  expect(await acceptItem(currentItem)).toBe(newestVersion);
  expect(await acceptItem({ ...currentItem, factorsVersion: '2026-1.1' })).toBe('2026-1.1');
  expect(await acceptItem({ ...currentItem, factorsVersion: DEFAULT_VERSION })).toBe(DEFAULT_VERSION);
  // Versions that this organization never had.
  expect(await acceptItem({ ...currentItem, factorsVersion: '2026-1.99' })).toBe(newestVersion);
  // Another version's price, the default's price, and a made-up one.
  for (const cost of [15, 12.5, 1]) {
    const response = await createCheckout({ ...flight, cost, factorsVersion: '2026-1.1' });
    expect([response.statusCode, response.json<{ code: string }>().code]).toEqual([422, 'cost-mismatch']);
  }
});

test('the embedded calculator uses the organization’s factors too', async () => {
  const renderCalculator = async () => (await app.inject(`${embedPath(orgId, 'en')}?what=home&electricity=10000`)).body;
  expect(await renderCalculator()).toContain('500 lb');
  expect(await renderCalculator()).toContain('$10.00');
});
