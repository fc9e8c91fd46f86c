import { z } from 'zod';
import type { Log } from '#server/db/connection.ts';
import { type Check, ok, warning, wrong } from '#server/gateways/check.ts';
import { type City, LONGEST_SEARCH, MOST_CITIES, type Places } from './places.ts';

export type LocationiqOptions = {
  key: string;
  /** Used when LocationIQ fails or finds nothing. */
  fallback: Places;
  log: Pick<Log, 'warn'>;
  /** For tests. No slash at the end. */
  baseUrl?: string;
  /** Milliseconds until the fallback answers instead. */
  timeout?: number;
  /** How many answers to cache. */
  remembered?: number;
  now?: () => number;
};

const BASE_URL = 'https://api.locationiq.com/v1';
const TIMEOUT = 2000;
const CHECK_TIMEOUT = 10_000;
const REMEMBERED = 1000;
/** After it was slow, nobody waits for it for so long. */
const PAUSE_MS = 30_000;
/** LocationIQ also knows streets and shops. */
const KINDS = 'place:city,place:town,place:village';

/** Credits the fallback's source too, because some results come from there. */
export function locationiqPlaces(options: LocationiqOptions): Places {
  const { fallback, log, remembered = REMEMBERED, now = Date.now } = options;
  let pausedUntil = 0;
  const answers = recentAnswers<City[]>(remembered);
  const ask = async (question: string): Promise<City[]> => {
    const known = answers.get(question);
    if (known) return known;
    if (now() < pausedUntil) return [];
    const cities = await askLocationiq(options, question);
    answers.set(question, cities);
    return cities;
  };
  return {
    credit: {
      text: `LocationIQ, © OpenStreetMap contributors, and ${fallback.credit.text}`,
      url: 'https://locationiq.com/attribution',
    },
    search: async (text) => {
      const question = text.slice(0, LONGEST_SEARCH).trim().replace(/\s+/g, ' ').toLowerCase();
      const cities = await ask(question).catch((error: unknown) => {
        if (isSlow(error)) pausedUntil = now() + PAUSE_MS;
        log.warn({ trouble: reasonFor(error) }, 'The bundled places answer in place of LocationIQ.');
        return [];
      });
      // For example, LocationIQ finds no ZIP codes among cities.
      return cities.length > 0 ? cities : fallback.search(text);
    },
  };
}

type Asking = Pick<LocationiqOptions, 'key' | 'baseUrl' | 'timeout'>;

class RefusedError extends Error {}

/** Searches for a city. */
export async function checkLocationiq(options: Pick<LocationiqOptions, 'key' | 'baseUrl'>): Promise<Check> {
  const subject = 'LocationIQ';
  try {
    await askLocationiq({ ...options, timeout: CHECK_TIMEOUT }, 'ithaca');
    return ok(subject, 'finds cities.');
  } catch (error) {
    const trouble = `${reasonFor(error)} Meanwhile the bundled places answer.`;
    return error instanceof RefusedError
      ? wrong(subject, `the search is refused, as with a wrong LOCATIONIQ_KEY. ${trouble}`)
      : warning(subject, trouble);
  }
}

async function askLocationiq(options: Asking, question: string): Promise<City[]> {
  const { key, baseUrl = BASE_URL, timeout = TIMEOUT } = options;
  const url = new URL(`${baseUrl}/autocomplete`);
  url.search = new URLSearchParams({
    key,
    q: question,
    limit: String(MOST_CITIES),
    tag: KINDS,
    dedupe: '1',
    'accept-language': 'en',
  }).toString();
  // A redirect could carry the key to another host.
  const response = await fetch(url, { signal: AbortSignal.timeout(timeout), redirect: 'error' });
  // LocationIQ found nothing.
  if (response.status === 404) return [];
  if (!response.ok) throw new RefusedError(`It answered ${response.status}.`);
  return parseLocationiqAnswer(await response.json()).slice(0, MOST_CITIES);
}

function isSlow(error: unknown): boolean {
  return error instanceof Error && error.name === 'TimeoutError';
}

/** Other errors' messages may contain the URL, and with it the key. */
function reasonFor(error: unknown): string {
  if (error instanceof RefusedError) return error.message;
  if (isSlow(error)) return 'It took too long.';
  return 'It could not be reached or understood.';
}

/** LocationIQ sends degrees as text. */
const degrees = (most: number) =>
  z
    .union([z.number(), z.string().trim().min(1)])
    .transform(Number)
    .pipe(z.number().min(-most).max(most));

const place = z.object({
  lat: degrees(90),
  lon: degrees(180),
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
 * Skips incomplete places.
 * @throws if the answer is not a list, or a list without a single valid place
 */
export function parseLocationiqAnswer(answer: unknown): City[] {
  const entries = z.array(z.unknown()).parse(answer);
  const cities = entries.flatMap((entry) => {
    const { data } = place.safeParse(entry);
    return data ? [cityOf(data)] : [];
  });
  if (entries.length > 0 && cities.length === 0) throw new Error('LocationIQ answered no places.');
  return cities;
}

function cityOf({ lat, lon, display_name, address }: z.infer<typeof place>): City {
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

/** A cache that drops the least recently used answer. */
export type RecentAnswers<Answer> = {
  get(question: string): Answer | undefined;
  set(question: string, answer: Answer): void;
};

export function recentAnswers<Answer extends object>(most: number): RecentAnswers<Answer> {
  // A Map keeps insertion order: the first entry is the least recently used.
  const answers = new Map<string, Answer>();
  const set = (question: string, answer: Answer) => {
    answers.delete(question);
    answers.set(question, answer);
    const [oldest] = answers.keys();
    if (answers.size > most && oldest !== undefined) answers.delete(oldest);
  };
  return {
    get: (question) => {
      const answer = answers.get(question);
      if (answer) set(question, answer);
      return answer;
    },
    set,
  };
}
