import type { KeyboardEvent, RefObject } from 'react';
import type { City } from '#web/api/city.ts';
import { Icon } from '#web/ui/icon.tsx';
import styles from './city-picker.module.css';
import { type CitySearch, SEARCH_MINIMUM } from './use-city-search.ts';

type CityResultsProps = {
  search: CitySearch;
  list: RefObject<HTMLUListElement | null>;
  onChoose: (city: City) => void;
  /** The arrow key up, from the first of them. */
  onLeave: () => void;
};

/** What a search found, or why it found nothing. */
export function CityResults({ search, list, onChoose, onLeave }: CityResultsProps) {
  const cities = search.kind === 'found' ? search.cities : [];
  const onKeyDown = (event: KeyboardEvent<HTMLUListElement>) => {
    const buttons = [...event.currentTarget.querySelectorAll('button')];
    const at = buttons.findIndex((button) => button.contains(document.activeElement));
    if (event.key === 'ArrowUp' && at <= 0) onLeave();
    else {
      const next = positionByKey(event.key, at, buttons.length);
      if (next === undefined) return;
      buttons[next]?.focus();
    }
    event.preventDefault();
  };
  return (
    <div className={styles.results}>
      <output className={styles.words}>{wordsFor(search)}</output>
      <p role="alert" className={styles.problem}>
        {search.kind === 'failed' && search.problem}
      </p>
      {cities.length > 0 && (
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the arrow keys go from button to button within it
        <ul ref={list} className={styles.list} aria-label="Cities found" onKeyDown={onKeyDown}>
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

function positionByKey(key: string, at: number, count: number): number | undefined {
  if (key === 'ArrowDown') return Math.min(at + 1, count - 1);
  if (key === 'ArrowUp') return at - 1;
  if (key === 'Home') return 0;
  return key === 'End' ? count - 1 : undefined;
}

function wordsFor(search: CitySearch): string {
  if (search.kind === 'none') return `Type at least ${SEARCH_MINIMUM} characters and search.`;
  if (search.kind === 'searching') return 'Searching…';
  if (search.kind === 'failed') return '';
  const { cities, text } = search;
  if (cities.length === 0) return `No city found for “${text}”.`;
  return cities.length === 1 ? '1 city found' : `${cities.length} cities found`;
}
