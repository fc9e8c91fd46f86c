import { type FormEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react';
import type { Site } from '#contract/schemas/site.ts';
import type { City } from '#web/api/city.ts';
import type { ApiClient } from '#web/api/client.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { TextField } from '#web/ui/field.tsx';
import { Icon } from '#web/ui/icon.tsx';
import styles from './city-picker.module.css';
import { CityResults } from './city-results.tsx';
import { isSearchable, useCitySearch } from './use-city-search.ts';

const LONGEST = 100;

type CityPickerProps = {
  api: ApiClient;
  /** Whom the places come from. */
  credit: Site['placesCredit'];
  onChoose: (city: City) => void;
  onClose: () => void;
};

/** The dialog in which a city is searched and chosen (§2). Enter searches, the arrow keys go through what was found. */
export function CityPicker({ api, credit, onChoose, onClose }: CityPickerProps) {
  const [text, setText] = useState('');
  const { search, find } = useCitySearch(api);
  const input = useRef<HTMLInputElement>(null);
  const results = useRef<HTMLUListElement>(null);
  // The dialog itself would give the focus to its first button, which is the cross.
  useEffect(() => input.current?.focus(), []);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void find(text);
  };
  const intoResults = (event: KeyboardEvent) => {
    const first = results.current?.querySelector('button');
    if (event.key !== 'ArrowDown' || !first) return;
    event.preventDefault();
    first.focus();
  };
  return (
    <Dialog title="Select city" open onClose={onClose}>
      <search>
        <form onSubmit={submit} className={styles.form}>
          <TextField
            ref={input}
            label="City"
            value={text}
            maxLength={LONGEST}
            autoComplete="off"
            spellCheck={false}
            enterKeyHint="search"
            onChange={({ currentTarget }) => setText(currentTarget.value)}
            onKeyDown={intoResults}
            className={styles.city}
          />
          <Button type="submit" disabled={!isSearchable(text)} busy={search.kind === 'searching'}>
            <Icon name="search" size={18} /> Search
          </Button>
        </form>
      </search>
      <CityResults search={search} list={results} onChoose={onChoose} onLeave={() => input.current?.focus()} />
      <p className={styles.credit}>
        <a href={credit.url} target="_blank" rel="noopener">
          {credit.text}
        </a>
      </p>
    </Dialog>
  );
}
