import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** LocationIQ's response for a city. Overrides replace parts of it. */
export const locationiqEntry = (overrides: object = {}) => ({
  place_id: '322030518118',
  osm_type: 'relation',
  lat: '42.4396039',
  lon: '-76.4968019',
  class: 'place',
  type: 'city',
  display_name: 'Ithaca, Tompkins County, New York, 14850, USA',
  display_place: 'Ithaca',
  display_address: 'Tompkins County, New York, 14850, USA',
  address: {
    name: 'Ithaca',
    county: 'Tompkins County',
    state: 'New York',
    postcode: '14850',
    country: 'United States of America',
    country_code: 'us',
  },
  ...overrides,
});

export type StandIn = {
  baseUrl: string;
  /** Query of each request. */
  queries: URLSearchParams[];
};

/** Serves LocationIQ's autocomplete on 127.0.0.1 until the test ends. @param respond may leave the request open */
export async function startLocationiqStandIn(
  respond: (response: ServerResponse, requestNumber: number) => void,
): Promise<StandIn> {
  const queries: URLSearchParams[] = [];
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://stand-in');
    if (request.method !== 'GET' || pathname !== '/v1/autocomplete') return response.writeHead(405).end();
    queries.push(searchParams);
    return respond(response, queries.length);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, queries };
}

export const sendJson = (response: ServerResponse, body: unknown, status = 200) => {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
};
