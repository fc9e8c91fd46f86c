import { type KeyboardEvent, useCallback, useEffect, useId, useRef, useState } from 'react';
import type { Site } from '#contract/schemas/site.ts';
import { m } from '#messages';
import { type City, toCity } from '#web/api/city.ts';
import type { ApiClient } from '#web/api/client.ts';
import { failureMessage } from '#web/api/failure-message.ts';
import { parseJson } from '#web/browser/parse-json.ts';
import { getStoredText } from '#web/browser/stored-text.ts';
import { createStoredValue, useStoredValue } from '#web/browser/stored-value.ts';
import { useApi } from '#web/session/app-context.ts';
import { Button } from '#web/ui/button.tsx';
import { classNames } from '#web/ui/class-names.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import { TextField } from '#web/ui/field.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { Problem } from '#web/ui/problem.tsx';
import { SearchForm } from '#web/ui/search-form.tsx';
import { parseCity } from './calculator-input.ts';
import styles from './city-picker.module.css';
import type { TripEnd } from './estimates.ts';

const MAX_CITY_QUERY_LENGTH = 100;

type CityPickerProps = {
  end: TripEnd;
  /** Attribution for the place data. */
  credit: Site['placesCredit'];
  onChoose: (city: City) => void;
  onClose: () => void;
};

/**
 * The dialog that searches for a city (§2): a combobox that lists recently chosen cities, then results as the visitor
 * types.
 */
export function CityPicker({ end, credit, onChoose, onClose }: CityPickerProps) {
  const [text, setText] = useState('');
  const [activeKey, setActiveKey] = useState<string>();
  const { search, find: searchNow } = useCitySearch(text);
  const recentCities = useStoredValue(RECENT_CITIES, NO_CITIES);
  const input = useRef<HTMLInputElement>(null);
  const listId = useId();
  // A dialog would otherwise focus its first button, the close button.
  useEffect(() => input.current?.focus(), []);
  const isRecent = !isSearchable(text);
  const cities = isRecent ? recentCities : search.cities;
  // A late response may replace the list, so the index can't be stored.
  const activeIndex = cities.findIndex((city) => getCityKey(city) === activeKey);
  const activeCity = cities[activeIndex];
  const choose = (city: City) => {
    RECENT_CITIES.write(addRecentCity(recentCities, city));
    onChoose(city);
  };
  const submit = () => {
    if (activeCity) choose(activeCity);
    else if (!isRecent) void searchNow(text);
  };
  const move = (event: KeyboardEvent) => {
    const next = getNextPosition(event.key, activeIndex, cities.length);
    if (next === undefined) return;
    event.preventDefault();
    setActiveKey(cities[next] && getCityKey(cities[next]));
  };
  return (
    <Dialog title={m.cityTitle()} onClose={onClose}>
      <p className={styles.question}>{end === 'from' ? m.cityFrom() : m.cityTo()}</p>
      <SearchForm className={styles.form} onSearch={submit}>
        <TextField
          ref={input}
          role="combobox"
          aria-autocomplete="list"
          aria-expanded={cities.length > 0}
          aria-controls={listId}
          aria-activedescendant={activeCity && `${listId}-${activeIndex}`}
          label={m.city()}
          value={text}
          maxLength={MAX_CITY_QUERY_LENGTH}
          autoComplete="off"
          spellCheck={false}
          enterKeyHint="search"
          onChange={({ currentTarget }) => {
            setText(currentTarget.value);
            setActiveKey(undefined);
          }}
          onKeyDown={move}
          className={styles.city}
        />
        <Button type="submit" disabled={isRecent}>
          <Icon name="search" size={18} /> {m.search()}
        </Button>
      </SearchForm>
      <div className={styles.results}>
        <output className={styles.summary}>{isRecent ? formatRecentLabel(recentCities) : formatSummary(search)}</output>
        <Problem tone="field">{!isRecent && search.problem}</Problem>
        <div id={listId} role="listbox" className={styles.list} aria-label={m.citiesFound()}>
          {cities.map((city, index) => (
            <CityOption
              key={getCityKey(city)}
              id={`${listId}-${index}`}
              city={city}
              isActive={index === activeIndex}
              onChoose={() => choose(city)}
            />
          ))}
        </div>
      </div>
      <p className={styles.credit}>
        <a href={credit.url} target="_blank" rel="noopener">
          {m.citySearchedVia({ source: credit.text })}
        </a>
      </p>
    </Dialog>
  );
}

function getCityKey({ lat, lon, displayName }: City): string {
  return `${lat} ${lon} ${displayName}`;
}

type CityOptionProps = { id: string; city: City; isActive: boolean; onChoose: () => void };

function CityOption({ id, city, isActive, onChoose }: CityOptionProps) {
  const buttonRef = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (isActive) buttonRef.current?.scrollIntoView({ block: 'nearest' });
  }, [isActive]);
  return (
    <button
      ref={buttonRef}
      type="button"
      id={id}
      role="option"
      aria-selected={isActive}
      tabIndex={-1}
      className={classNames(styles.result, isActive && styles.active)}
      onClick={onChoose}
    >
      <Icon name="pin" />
      <span>{city.displayName}</span>
    </button>
  );
}

/** The index of the option that a key moves to; -1 for none. */
function getNextPosition(key: string, index: number, count: number): number | undefined {
  if (count === 0) return undefined;
  if (key === 'ArrowDown') return Math.min(index + 1, count - 1);
  return key === 'ArrowUp' ? Math.max(index - 1, -1) : undefined;
}

function formatRecentLabel(cities: readonly City[]): string {
  return cities.length > 0 ? m.cityRecent() : m.cityTypeMore({ min: String(MIN_CITY_QUERY_LENGTH) });
}

function formatSummary({ cities, text, problem }: CitySearch): string {
  if (problem !== undefined) return '';
  if (text === undefined) return m.searching();
  return cities.length === 0 ? m.cityNone({ text }) : m.cityCount({ count: cities.length });
}

/** The minimum number of characters (§5). */
export const MIN_CITY_QUERY_LENGTH = 3;

function isSearchable(text: string): boolean {
  return text.trim().length >= MIN_CITY_QUERY_LENGTH;
}

type CitySearch = {
  /** The text that was searched for; undefined before the first response. */
  readonly text: string | undefined;
  /** Latest results; shown until the next search finishes. */
  readonly cities: readonly City[];
  readonly problem: string | undefined;
};

const NO_SEARCH: CitySearch = { text: undefined, cities: [], problem: undefined };

/** Delay between the last keystroke and the search. */
const DEBOUNCE_MS = 150;

/**
 * Searches for cities by name, as the visitor types and on submit. A new search cancels the previous one, and a short
 * query clears its results.
 */
function useCitySearch(query: string): { search: CitySearch; find: (text: string) => Promise<void> } {
  const api = useApi();
  const [search, setSearch] = useState(NO_SEARCH);
  const currentRequest = useRef<AbortController>(undefined);
  const find = useCallback(
    async (text: string) => {
      currentRequest.current?.abort();
      const controller = new AbortController();
      currentRequest.current = controller;
      const result = isSearchable(text) ? await searchCities(api, text.trim(), controller.signal) : NO_SEARCH;
      if (!controller.signal.aborted) setSearch(result);
    },
    [api],
  );
  useEffect(() => {
    const timer = setTimeout(() => void find(query), DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [query, find]);
  return { search, find };
}

async function searchCities(api: ApiClient, text: string, signal: AbortSignal): Promise<CitySearch> {
  try {
    const places = await api.call('searchCities', { query: { search: text }, signal });
    return { text, cities: places.map(toCity), problem: undefined };
  } catch (error) {
    return { text, cities: [], problem: failureMessage(error, m.cityOffline()) };
  }
}

const MAX_RECENT_CITIES = 5;
const NO_CITIES: readonly City[] = [];
const RECENT_CITIES = createStoredValue(getStoredText('cities'), parseRecentCities);

function addRecentCity(cities: readonly City[], newCity: City): City[] {
  return [newCity, ...cities.filter(({ displayName }) => displayName !== newCity.displayName)].slice(
    0,
    MAX_RECENT_CITIES,
  );
}

/** The stored text is untrusted. */
export function parseRecentCities(text: string | null): readonly City[] {
  const storedCities = parseJson(text);
  return Array.isArray(storedCities)
    ? storedCities.slice(0, MAX_RECENT_CITIES).flatMap((storedCity) => parseCity(storedCity) ?? [])
    : NO_CITIES;
}
