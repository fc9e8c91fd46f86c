import type { Log } from '#server/db/log.ts';
import { parseLocationiqAnswer } from './locationiq-answer.ts';
import { type City, LONGEST_SEARCH, MOST_CITIES, type Places } from './places.ts';
import { recentAnswers } from './recent-answers.ts';

export type LocationiqOptions = {
  /** LocationIQ's access token. It is sent to LocationIQ, and told to nobody else. */
  key: string;
  /** Answers where LocationIQ fails or knows nothing. */
  fallback: Places;
  /** Is told when LocationIQ fails. */
  log: Pick<Log, 'warn'>;
  /** Where the calls go, without a slash at the end; a test's stand-in. */
  baseUrl?: string;
  /** Milliseconds that LocationIQ may take before the fallback answers. */
  timeout?: number;
  /** How many answers are remembered. */
  remembered?: number;
};

const BASE_URL = 'https://api.locationiq.com/v1';
const TIMEOUT = 2000;
const REMEMBERED = 1000;
/** Cities, not the streets and shops that LocationIQ knows too. */
const KINDS = 'place:city,place:town,place:village';

/** The places of LocationIQ's autocomplete call. The credit names the fallback's source too, for it may answer. */
export function locationiqPlaces(options: LocationiqOptions): Places {
  const { fallback, log, remembered = REMEMBERED } = options;
  const answers = recentAnswers<City[]>(remembered);
  const ask = async (question: string): Promise<City[]> => {
    const known = answers.get(question);
    if (known) return known;
    const cities = await askLocationiq(options, question);
    answers.set(question, cities);
    return cities;
  };
  return {
    credit: {
      text: `Search by LocationIQ, © OpenStreetMap contributors. ${fallback.credit.text}`,
      url: 'https://locationiq.com/attribution',
    },
    search: async (text) => {
      const question = text.slice(0, LONGEST_SEARCH).trim().replace(/\s+/g, ' ').toLowerCase();
      const cities = await ask(question).catch((error: unknown) => {
        log.warn({ trouble: troubleOf(error) }, 'The bundled places answer in place of LocationIQ.');
        return [];
      });
      // A ZIP code, for one, is nothing that LocationIQ finds among cities.
      return cities.length > 0 ? cities : fallback.search(text);
    },
  };
}

class RefusedError extends Error {}

async function askLocationiq(options: LocationiqOptions, question: string): Promise<City[]> {
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
  // LocationIQ's way to say that it found nothing.
  if (response.status === 404) return [];
  if (!response.ok) throw new RefusedError(`It answered ${response.status}.`);
  return parseLocationiqAnswer(await response.json()).slice(0, MOST_CITIES);
}

/** Only sentences of our own: the text of another error may hold the address, and with it the key. */
function troubleOf(error: unknown): string {
  if (error instanceof RefusedError) return error.message;
  if (error instanceof Error && error.name === 'TimeoutError') return 'It took too long.';
  return 'It could not be reached or understood.';
}
