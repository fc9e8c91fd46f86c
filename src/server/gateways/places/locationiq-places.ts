import { z } from 'zod';
import { failing, ok, type SettingCheck, warning } from '#server/gateways/check.ts';
import type { Log } from '#server/log.ts';
import { type City, MAX_CITIES, MAX_SEARCH_LENGTH, type Places } from './places.ts';

export type LocationiqOptions = {
  key: string;
  /** Used if LocationIQ fails or finds nothing. */
  fallback: Places;
  log: Pick<Log, 'warn'>;
  /** For tests. Without a trailing slash. */
  baseUrl?: string;
  /** Milliseconds until the fallback is used. */
  timeout?: number;
  /** Maximum number of cached responses. */
  cacheSize?: number;
  now?: () => number;
};

const BASE_URL = 'https://api.locationiq.com/v1';
const TIMEOUT_MS = 2000;
const CHECK_TIMEOUT_MS = 10_000;
const CACHE_SIZE = 1000;
/** How long LocationIQ isn't used after a timeout, a rejected key, or an exhausted quota. */
const PAUSE_MS = 30_000;
/** Excludes other kinds, such as streets and shops. */
const PLACE_TAGS = 'place:city,place:town,place:village';

/** Searches LocationIQ, and the fallback if it fails or finds nothing. The credit names both sources. */
export function createLocationiqPlaces(options: LocationiqOptions): Places {
  const { fallback, log, cacheSize = CACHE_SIZE, now = Date.now } = options;
  let pausedUntil = 0;
  const cache = createRecentResults<City[]>(cacheSize);
  const search = async (query: string): Promise<City[]> => {
    const cachedCities = cache.get(query);
    if (cachedCities) return cachedCities;
    if (now() < pausedUntil) return [];
    const cities = await searchLocationiq(options, query);
    cache.set(query, cities);
    return cities;
  };
  return {
    credit: {
      text: `LocationIQ, © OpenStreetMap contributors, and ${fallback.credit.text}`,
      url: 'https://locationiq.com/attribution',
    },
    search: async (text) => {
      const query = text.slice(0, MAX_SEARCH_LENGTH).trim().replace(/\s+/g, ' ').toLowerCase();
      const cities = await search(query).catch((error: unknown) => {
        if (isTimeout(error) || isRejectedKeyOrQuota(error)) pausedUntil = now() + PAUSE_MS;
        log.warn({ reason: describeError(error) }, 'LocationIQ failed; using the bundled places');
        return [];
      });
      // For example, LocationIQ finds no ZIP codes among cities.
      return cities.length > 0 ? cities : fallback.search(text);
    },
  };
}

type SearchOptions = Pick<LocationiqOptions, 'key' | 'baseUrl' | 'timeout'>;

class RejectedError extends Error {
  readonly status: number;

  constructor(status: number) {
    super(`LocationIQ returned ${status}.`);
    this.status = status;
  }
}

/** Checks the key by searching for a city. */
export async function checkLocationiq(options: Pick<LocationiqOptions, 'key' | 'baseUrl'>): Promise<SettingCheck> {
  const subject = 'LocationIQ';
  try {
    await searchLocationiq({ ...options, timeout: CHECK_TIMEOUT_MS }, 'ithaca');
    return ok(subject, 'finds cities.');
  } catch (error) {
    const message = `${describeError(error)} The bundled places are used until it recovers.`;
    return error instanceof RejectedError
      ? failing(subject, `the search was rejected. Check LOCATIONIQ_KEY. ${message}`)
      : warning(subject, message);
  }
}

async function searchLocationiq(options: SearchOptions, query: string): Promise<City[]> {
  const { key, baseUrl = BASE_URL, timeout = TIMEOUT_MS } = options;
  const url = new URL(`${baseUrl}/autocomplete`);
  url.search = new URLSearchParams({
    key,
    q: query,
    limit: String(MAX_CITIES),
    tag: PLACE_TAGS,
    dedupe: '1',
    'accept-language': 'en',
  }).toString();
  // A redirect could carry the key to another host.
  const response = await fetch(url, { signal: AbortSignal.timeout(timeout), redirect: 'error' });
  // No results.
  if (response.status === 404) return [];
  if (!response.ok) throw new RejectedError(response.status);
  return parseLocationiqResponse(await response.json()).slice(0, MAX_CITIES);
}

function isTimeout(error: unknown): boolean {
  return error instanceof Error && error.name === 'TimeoutError';
}

function isRejectedKeyOrQuota(error: unknown): boolean {
  return error instanceof RejectedError && (error.status === 401 || error.status === 429);
}

/** Describes an error. Omits the messages of unknown errors, which may contain the URL and therefore the key. */
function describeError(error: unknown): string {
  if (error instanceof RejectedError) return error.message;
  if (isTimeout(error)) return 'LocationIQ took too long.';
  return 'LocationIQ was unreachable or its response was invalid.';
}

/** LocationIQ returns coordinates as strings. */
const createDegreesSchema = (limit: number) =>
  z
    .union([z.number(), z.string().trim().min(1)])
    .transform(Number)
    .pipe(z.number().min(-limit).max(limit));

const placeSchema = z.object({
  lat: createDegreesSchema(90),
  lon: createDegreesSchema(180),
  display_name: z.string().min(1),
  address: z.object({
    name: z.string().min(1),
    country: z.string().min(1),
    country_code: z.string().length(2),
    county: z.string().optional(),
    postcode: z.string().optional(),
    state: z.string().optional(),
  }),
});

/**
 * Parses a response. Skips incomplete places.
 * @throws if the response is not a list, or if none of its places is valid
 */
export function parseLocationiqResponse(response: unknown): City[] {
  const entries = z.array(z.unknown()).parse(response);
  const cities = entries.flatMap((entry) => {
    const { data } = placeSchema.safeParse(entry);
    return data ? [toCity(data)] : [];
  });
  if (entries.length > 0 && cities.length === 0) throw new Error('LocationIQ returned no places.');
  return cities;
}

function toCity({ lat, lon, display_name, address }: z.infer<typeof placeSchema>): City {
  return {
    lat,
    lon,
    displayName: display_name,
    // For Brooklyn, `city` would be New York.
    city: address.name,
    country: address.country,
    countryCode: address.country_code.toUpperCase(),
    ...(address.county && { county: address.county }),
    ...(address.postcode && { postcode: address.postcode }),
    ...(address.state && { state: address.state }),
  };
}

/** A cache that drops the least recently used result. */
export type RecentResults<Result> = {
  get(query: string): Result | undefined;
  set(query: string, result: Result): void;
};

export function createRecentResults<Result extends object>(maxSize: number): RecentResults<Result> {
  // A Map keeps insertion order: the first entry is the least recently used.
  const results = new Map<string, Result>();
  const set = (query: string, result: Result) => {
    results.delete(query);
    results.set(query, result);
    const [oldest] = results.keys();
    if (results.size > maxSize && oldest !== undefined) results.delete(oldest);
  };
  return {
    get: (query) => {
      const result = results.get(query);
      if (result) set(query, result);
      return result;
    },
    set,
  };
}
