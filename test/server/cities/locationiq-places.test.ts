// @spec 2.city-picker decisions.6
import type { ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { createLocationiqPlaces, type LocationiqOptions } from '#server/gateways/places/locationiq-places.ts';
import type { City, Places } from '#server/gateways/places/places.ts';
import { locationiqEntry, type StandIn, sendJson, startLocationiqStandIn } from './locationiq-stand-in.ts';

const KEY = 'pk.secret-of-the-test';

const bundledCity: City = {
  lat: 1,
  lon: 2,
  displayName: 'From the bundled list',
  city: 'Bundled',
  country: 'Nowhere',
  countryCode: 'XX',
};

const bundledPlaces: Places = {
  search: async () => [bundledCity],
  credit: { text: 'Places by GeoNames', url: 'https://www.geonames.org/' },
};

const createPlaces = (standIn: Pick<StandIn, 'baseUrl'>, options: Partial<LocationiqOptions> = {}) => {
  const warnings: string[] = [];
  const log = { warn: (details: object, message: string) => warnings.push(`${message} ${JSON.stringify(details)}`) };
  const places = createLocationiqPlaces({
    key: KEY,
    baseUrl: standIn.baseUrl,
    fallback: bundledPlaces,
    log,
    ...options,
  });
  return { places, warnings };
};

const sendIthaca = (response: ServerResponse) => sendJson(response, [locationiqEntry()]);

test('cities are searched with LocationIQ and converted to our format', async () => {
  const standIn = await startLocationiqStandIn(sendIthaca);
  const { places, warnings } = createPlaces(standIn);
  expect(await places.search('Ithaca & Son')).toEqual([
    {
      lat: 42.4396039,
      lon: -76.4968019,
      displayName: 'Ithaca, Tompkins County, New York, 14850, USA',
      city: 'Ithaca',
      country: 'United States of America',
      countryCode: 'US',
      county: 'Tompkins County',
      postcode: '14850',
      state: 'New York',
    },
  ]);
  expect(Object.fromEntries(standIn.queries[0] ?? [])).toMatchObject({
    key: KEY,
    q: 'ithaca & son',
    limit: '10',
    tag: 'place:city,place:town,place:village',
  });
  expect(warnings).toEqual([]);
});

test('a repeated query is served from the cache, ignoring case and spacing', async () => {
  const standIn = await startLocationiqStandIn(sendIthaca);
  const { places } = createPlaces(standIn);
  const first = await places.search('Ithaca, NY');
  expect(await places.search('  ithaca,   ny ')).toEqual(first);
  expect(standIn.queries).toHaveLength(1);
});

test('the cache is bounded and drops the oldest entries', async () => {
  const standIn = await startLocationiqStandIn(sendIthaca);
  const { places } = createPlaces(standIn, { cacheSize: 2 });
  for (const text of ['one', 'two', 'three', 'two', 'one']) await places.search(text);
  expect(standIn.queries.map((query) => query.get('q'))).toEqual(['one', 'two', 'three', 'one']);
});

test.for([
  [500, '[]', 'LocationIQ returned 500.'],
  [200, 'not JSON', 'LocationIQ was unreachable or its response was invalid.'],
  [200, '{"error":"no list"}', 'LocationIQ was unreachable or its response was invalid.'],
  [200, '[{"lat":"north","lon":"west"}]', 'LocationIQ was unreachable or its response was invalid.'],
] as const)(
  'after %i %s, the bundled places are used, and the next search tries LocationIQ again',
  async ([status, body, warning]) => {
    const standIn = await startLocationiqStandIn((response, requestNumber) => {
      if (requestNumber > 1) sendIthaca(response);
      else response.writeHead(status, { 'content-type': 'application/json' }).end(body);
    });
    const { places, warnings } = createPlaces(standIn);
    expect(await places.search('Ithaca')).toEqual([bundledCity]);
    expect(warnings).toEqual([expect.stringContaining(warning)]);
    expect(await places.search('Ithaca')).toMatchObject([{ city: 'Ithaca' }]);
    expect(warnings).toHaveLength(1);
  },
);

test('after a timeout, the bundled places are used', async () => {
  const standIn = await startLocationiqStandIn(() => undefined);
  const { places, warnings } = createPlaces(standIn, { timeout: 20 });
  expect(await places.search('Ithaca')).toEqual([bundledCity]);
  expect(warnings).toEqual([expect.stringContaining('LocationIQ took too long.')]);
});

test('while LocationIQ is slow, only the first search waits, and LocationIQ is retried after half a minute', async () => {
  let time = 0;
  const standIn = await startLocationiqStandIn((response, requestNumber) => {
    if (requestNumber > 1) sendIthaca(response);
  });
  // Long enough for a response on a busy machine.
  const { places } = createPlaces(standIn, { timeout: 1500, now: () => time });
  expect(await places.search('Ithaca')).toEqual([bundledCity]);
  time = 29_999;
  expect(await places.search('Ithaca')).toEqual([bundledCity]);
  expect(standIn.queries).toHaveLength(1);
  time = 30_000;
  expect(await places.search('Ithaca')).toMatchObject([{ city: 'Ithaca' }]);
});

test.each([401, 429])('after a response with status %s, LocationIQ is retried after half a minute', async (status) => {
  let time = 0;
  const standIn = await startLocationiqStandIn((response, requestNumber) => {
    if (requestNumber > 1) sendIthaca(response);
    else sendJson(response, { error: 'Rejected' }, status);
  });
  const { places, warnings } = createPlaces(standIn, { now: () => time });
  expect(await places.search('Ithaca')).toEqual([bundledCity]);
  time = 29_999;
  expect(await places.search('Ithaca')).toEqual([bundledCity]);
  expect(warnings).toEqual([expect.stringContaining(`LocationIQ returned ${status}.`)]);
  expect(standIn.queries).toHaveLength(1);
  time = 30_000;
  expect(await places.search('Ithaca')).toMatchObject([{ city: 'Ithaca' }]);
});

test('a truncated response falls back to the bundled places', async () => {
  const standIn = await startLocationiqStandIn((response) => response.writeHead(200).write('[{"lat":'));
  const { places } = createPlaces(standIn, { timeout: 20 });
  expect(await places.search('Ithaca')).toEqual([bundledCity]);
});

test('an unreachable LocationIQ falls back to the bundled places', async () => {
  const { places, warnings } = createPlaces({ baseUrl: 'http://127.0.0.1:1/v1' });
  expect(await places.search('Ithaca')).toEqual([bundledCity]);
  expect(warnings).toHaveLength(1);
});

test('an empty result (404) falls back to the bundled places', async () => {
  const standIn = await startLocationiqStandIn((response) => sendJson(response, { error: 'Unable to geocode' }, 404));
  const { places, warnings } = createPlaces(standIn);
  expect(await places.search('14850')).toEqual([bundledCity]);
  expect(await places.search('14850')).toEqual([bundledCity]);
  expect(warnings).toEqual([]);
  expect(standIn.queries).toHaveLength(1);
});

test('incomplete places are left out', async () => {
  const entries = [
    locationiqEntry({ lat: '91' }),
    locationiqEntry({ lon: '' }),
    locationiqEntry({ address: { name: 'Nowhere' } }),
    null,
    locationiqEntry(),
  ];
  const standIn = await startLocationiqStandIn((response) => sendJson(response, entries));
  expect(await createPlaces(standIn).places.search('Ithaca')).toMatchObject([{ city: 'Ithaca' }]);
});

// @asvs 1.3.6 15.3.2
test('the key is never sent to another host or logged', async () => {
  const otherServer = await startLocationiqStandIn(sendIthaca);
  const standIn = await startLocationiqStandIn((response, requestNumber) => {
    if (requestNumber === 1)
      response.writeHead(302, { location: `${otherServer.baseUrl}/autocomplete?key=${KEY}` }).end();
    else response.writeHead(403).end(KEY);
  });
  const { places, warnings } = createPlaces(standIn);
  await places.search('Ithaca');
  await places.search('Ithaca');
  const brokenPlaces = createPlaces({ baseUrl: `http://[${KEY}` });
  expect(await brokenPlaces.places.search('Ithaca')).toEqual([bundledCity]);
  expect(otherServer.queries).toEqual([]);
  expect([...warnings, ...brokenPlaces.warnings]).toHaveLength(3);
  expect([...warnings, ...brokenPlaces.warnings].join(' ')).not.toContain(KEY);
});

test('half a surrogate pair is sent as valid Unicode', async () => {
  const standIn = await startLocationiqStandIn(sendIthaca);
  expect(await createPlaces(standIn).places.search('ith\ud800')).toMatchObject([{ city: 'Ithaca' }]);
  expect(standIn.queries[0]?.get('q')).toBe('ith\ufffd');
});

test('a long search query is truncated before it is sent', async () => {
  const standIn = await startLocationiqStandIn(sendIthaca);
  await createPlaces(standIn).places.search('x'.repeat(1_000_000));
  expect(standIn.queries[0]?.get('q')).toBe('x'.repeat(100));
});

test('both sources are credited because either may be used', () => {
  const { places } = createPlaces({ baseUrl: 'http://127.0.0.1:1/v1' });
  expect(places.credit.text).toMatch(/LocationIQ.*OpenStreetMap.*GeoNames/);
});
