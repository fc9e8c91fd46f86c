import { type FormEvent, type KeyboardEvent, type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import type { Site } from '#contract/schemas/site.ts';
import { sentenceOf } from '#domain/failures.ts';
import { m } from '#messages';
import { ApiProblem, OfflineError } from '#web/api/api-error.ts';
import { type City, cityOf } from '#web/api/city.ts';
import type { ApiClient } from '#web/api/client.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { TextField } from '#web/ui/field.tsx';
import { Icon } from '#web/ui/icon.tsx';
import styles from './city-picker.module.css';
import type { TripEnd } from './estimates.ts';

const MAXIMUM_LENGTH = 100;

type CityPickerProps = {
  api: ApiClient;
  end: TripEnd;
  /** Attribution of the places. */
  credit: Site['placesCredit'];
  onChoose: (city: City) => void;
  onClose: () => void;
};

/** The dialog that searches for a city (§2). Enter searches; the arrow keys move through the results. */
export function CityPicker({ api, end, credit, onChoose, onClose }: CityPickerProps) {
  const [text, setText] = useState('');
  const { search, find } = useCitySearch(api);
  const input = useRef<HTMLInputElement>(null);
  const results = useRef<HTMLUListElement>(null);
  // A dialog focuses its first button by default, which is the close button.
  useEffect(() => input.current?.focus(), []);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void find(text);
  };
  const focusResults = (event: KeyboardEvent) => {
    const first = results.current?.querySelector('button');
    if (event.key !== 'ArrowDown' || !first) return;
    event.preventDefault();
    first.focus();
  };
  return (
    <Dialog title={m.cityTitle()} open onClose={onClose}>
      <p className={styles.question}>{end === 'from' ? m.cityFrom() : m.cityTo()}</p>
      <search>
        <form onSubmit={submit} className={styles.form}>
          <TextField
            ref={input}
            label={m.city()}
            value={text}
            maxLength={MAXIMUM_LENGTH}
            autoComplete="off"
            spellCheck={false}
            enterKeyHint="search"
            onChange={({ currentTarget }) => setText(currentTarget.value)}
            onKeyDown={focusResults}
            className={styles.city}
          />
          <Button type="submit" disabled={!isSearchable(text)} busy={search.kind === 'searching'}>
            <Icon name="search" size={18} /> {m.search()}
          </Button>
        </form>
      </search>
      <CityResults search={search} list={results} onChoose={onChoose} onLeave={() => input.current?.focus()} />
      <p className={styles.credit}>
        <a href={credit.url} target="_blank" rel="noopener">
          {m.citySearchedVia({ source: credit.text })}
        </a>
      </p>
    </Dialog>
  );
}

type CityResultsProps = {
  search: CitySearch;
  list: RefObject<HTMLUListElement | null>;
  onChoose: (city: City) => void;
  /** Called when the up arrow is pressed on the first result. */
  onLeave: () => void;
};

function CityResults({ search, list, onChoose, onLeave }: CityResultsProps) {
  const cities = search.kind === 'found' ? search.cities : [];
  const onKeyDown = (event: KeyboardEvent<HTMLUListElement>) => {
    const buttons = [...event.currentTarget.querySelectorAll('button')];
    const index = buttons.findIndex((button) => button.contains(document.activeElement));
    if (event.key === 'ArrowUp' && index <= 0) onLeave();
    else {
      const next = positionByKey(event.key, index, buttons.length);
      if (next === undefined) return;
      buttons[next]?.focus();
    }
    event.preventDefault();
  };
  return (
    <div className={styles.results}>
      <output className={styles.summary}>{summaryOf(search)}</output>
      <p role="alert" className={styles.problem}>
        {search.kind === 'failed' && search.problem}
      </p>
      {cities.length > 0 && (
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the arrow keys move between its buttons
        <ul ref={list} className={styles.list} aria-label={m.citiesFound()} onKeyDown={onKeyDown}>
          {cities.map((city) => (
            <li key={`${city.lat} ${city.lon} ${city.displayName}`}>
              <button type="button" className={styles.result} onClick={() => onChoose(city)}>
                <Icon name="pin" />
                <span>{city.displayName}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function positionByKey(key: string, index: number, count: number): number | undefined {
  if (key === 'ArrowDown') return Math.min(index + 1, count - 1);
  if (key === 'ArrowUp') return index - 1;
  if (key === 'Home') return 0;
  return key === 'End' ? count - 1 : undefined;
}

function summaryOf(search: CitySearch): string {
  if (search.kind === 'none') return m.cityTypeMore({ least: String(SEARCH_MINIMUM) });
  if (search.kind === 'searching') return m.searching();
  if (search.kind === 'failed') return '';
  const { cities, text } = search;
  if (cities.length === 0) return m.cityNone({ text });
  return m.cityCount({ count: cities.length });
}

/** The minimum number of characters (§5). */
export const SEARCH_MINIMUM = 3;

type CitySearch =
  | { readonly kind: 'none' }
  | { readonly kind: 'searching' }
  | { readonly kind: 'found'; readonly text: string; readonly cities: readonly City[] }
  | { readonly kind: 'failed'; readonly problem: string };

function isSearchable(text: string): boolean {
  return text.trim().length >= SEARCH_MINIMUM;
}

/** Searches for cities by name. A new search cancels the previous one. */
function useCitySearch(api: ApiClient): { search: CitySearch; find: (text: string) => Promise<void> } {
  const [search, setSearch] = useState<CitySearch>({ kind: 'none' });
  const running = useRef<AbortController>(undefined);
  const find = useCallback(
    async (typed: string) => {
      const text = typed.trim();
      running.current?.abort();
      const controller = new AbortController();
      running.current = controller;
      setSearch({ kind: 'searching' });
      const result = await searchResult(api, text, controller.signal);
      if (!controller.signal.aborted) setSearch(result);
    },
    [api],
  );
  return { search, find };
}

async function searchResult(api: ApiClient, text: string, signal: AbortSignal): Promise<CitySearch> {
  try {
    const places = await api.call('searchCities', { query: { search: text }, signal });
    return { kind: 'found', text, cities: places.map(cityOf) };
  } catch (error) {
    return { kind: 'failed', problem: problemOf(error) };
  }
}

function problemOf(error: unknown): string {
  if (error instanceof OfflineError) return m.cityOffline();
  return error instanceof ApiProblem ? error.message : sentenceOf('server-error');
}
