import {
  type FormEvent,
  type KeyboardEvent,
  useCallback,
  useEffect,
  useId,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import type { Site } from '#contract/schemas/site.ts';
import { m } from '#messages';
import { type City, cityOf } from '#web/api/city.ts';
import type { ApiClient } from '#web/api/client.ts';
import { failureMessage } from '#web/api/failure-message.ts';
import { storedText } from '#web/browser/stored-text.ts';
import { Button } from '#web/ui/button.tsx';
import { classNames } from '#web/ui/class-names.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import { TextField } from '#web/ui/field.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { Problem } from '#web/ui/problem.tsx';
import { parseCity } from './calculator-input.ts';
import styles from './city-picker.module.css';
import type { TripEnd } from './estimates.ts';

const MAX_CITY_QUERY_LENGTH = 100;

type CityPickerProps = {
  api: ApiClient;
  end: TripEnd;
  /** Attribution of the places. */
  credit: Site['placesCredit'];
  onChoose: (city: City) => void;
  onClose: () => void;
};

/**
 * The dialog that searches for a city (§2): a combobox with results as the visitor types. Until then, it offers recently
 * chosen cities.
 */
export function CityPicker({ api, end, credit, onChoose, onClose }: CityPickerProps) {
  const [text, setText] = useState('');
  const [activeKey, setActiveKey] = useState<string>();
  const { search, find: searchNow } = useCitySearch(api, text);
  const recentCities = parseRecent(useSyncExternalStore(RECENT.subscribe, RECENT.read, () => null));
  const input = useRef<HTMLInputElement>(null);
  const listId = useId();
  // By default, a dialog focuses its first button, which is the close button.
  useEffect(() => input.current?.focus(), []);
  const isRecent = !isSearchable(text);
  const cities = isRecent ? recentCities : search.cities;
  // A late response may replace the list, so the index can't be stored.
  const activeIndex = cities.findIndex((city) => keyOf(city) === activeKey);
  const activeCity = cities[activeIndex];
  const choose = (city: City) => {
    RECENT.write(JSON.stringify(addRecentCity(recentCities, city)));
    onChoose(city);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (activeCity) choose(activeCity);
    else if (!isRecent) void searchNow(text);
  };
  const move = (event: KeyboardEvent) => {
    const next = positionByKey(event.key, activeIndex, cities.length);
    if (next === undefined) return;
    event.preventDefault();
    setActiveKey(cities[next] && keyOf(cities[next]));
  };
  return (
    <Dialog title={m.cityTitle()} onClose={onClose}>
      <p className={styles.question}>{end === 'from' ? m.cityFrom() : m.cityTo()}</p>
      <search>
        <form onSubmit={submit} className={styles.form}>
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
        </form>
      </search>
      <div className={styles.results}>
        <output className={styles.summary}>{isRecent ? recentText(recentCities) : summaryOf(search)}</output>
        <Problem tone="field">{!isRecent && search.problem}</Problem>
        <div id={listId} role="listbox" className={styles.list} aria-label={m.citiesFound()}>
          {cities.map((city, index) => (
            <CityOption
              key={keyOf(city)}
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

function keyOf({ lat, lon, displayName }: City): string {
  return `${lat} ${lon} ${displayName}`;
}

type CityOptionProps = { id: string; city: City; isActive: boolean; onChoose: () => void };

function CityOption({ id, city, isActive, onChoose }: CityOptionProps) {
  const element = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (isActive) element.current?.scrollIntoView({ block: 'nearest' });
  }, [isActive]);
  return (
    <button
      ref={element}
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
function positionByKey(key: string, index: number, count: number): number | undefined {
  if (count === 0) return undefined;
  if (key === 'ArrowDown') return Math.min(index + 1, count - 1);
  return key === 'ArrowUp' ? Math.max(index - 1, -1) : undefined;
}

function recentText(cities: readonly City[]): string {
  return cities.length > 0 ? m.cityRecent() : m.cityTypeMore({ min: String(MIN_CITY_QUERY_LENGTH) });
}

function summaryOf({ cities, text, problem }: CitySearch): string {
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
  /** The searched text; undefined before the first response. */
  readonly text: string | undefined;
  /** Latest results; shown until the next search finishes. */
  readonly cities: readonly City[];
  readonly problem: string | undefined;
};

const NO_SEARCH: CitySearch = { text: undefined, cities: [], problem: undefined };

/** Delay between the last keystroke and the search. */
const PAUSE_MS = 150;

/** Searches for cities by name, as the visitor types and on submit. A new search cancels the previous one. */
function useCitySearch(api: ApiClient, query: string): { search: CitySearch; find: (text: string) => Promise<void> } {
  const [search, setSearch] = useState(NO_SEARCH);
  const currentRequest = useRef<AbortController>(undefined);
  const find = useCallback(
    async (text: string) => {
      currentRequest.current?.abort();
      const controller = new AbortController();
      currentRequest.current = controller;
      const result = await searchResult(api, text.trim(), controller.signal);
      if (!controller.signal.aborted) setSearch(result);
    },
    [api],
  );
  useEffect(() => {
    if (!isSearchable(query)) return undefined;
    const timer = setTimeout(() => void find(query), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [query, find]);
  return { search, find };
}

async function searchResult(api: ApiClient, text: string, signal: AbortSignal): Promise<CitySearch> {
  try {
    const places = await api.call('searchCities', { query: { search: text }, signal });
    return { text, cities: places.map(cityOf), problem: undefined };
  } catch (error) {
    return { text, cities: [], problem: failureMessage(error, m.cityOffline()) };
  }
}

const RECENT = storedText('cities');
const MAX_RECENT = 5;

function addRecentCity(cities: readonly City[], chosen: City): City[] {
  return [chosen, ...cities.filter(({ displayName }) => displayName !== chosen.displayName)].slice(0, MAX_RECENT);
}

/** The stored text is untrusted. */
export function parseRecent(text: string | null): City[] {
  try {
    const stored: unknown = JSON.parse(text ?? '[]');
    return Array.isArray(stored) ? stored.slice(0, MAX_RECENT).flatMap((each) => parseCity(each) ?? []) : [];
  } catch {
    return [];
  }
}
