import { type SubmitEvent, useState } from 'react';
import { Button } from '#web/ui/button.tsx';
import { Select } from '#web/ui/choice.tsx';
import { TextField } from '#web/ui/field.tsx';
import { Icon } from '#web/ui/icon.tsx';
import styles from './story-editing.module.css';

type Search<Standing extends string> = { readonly standing: Standing; readonly query: string };

type StorySearchProps<Standing extends string> = {
  options: readonly { readonly value: Standing; readonly label: string }[];
  /** What is shown now. */
  search: Search<Standing>;
  busy: boolean;
  onSearch: (search: Search<Standing>) => void;
};

/** Which stories of a list are shown: by status, and by a part of the name. */
export function StorySearch<Standing extends string>(props: StorySearchProps<Standing>) {
  const { options, search, busy, onSearch } = props;
  const { standing } = search;
  const [query, setQuery] = useState(search.query);
  const [shown, setShown] = useState(search.query);
  // The way out of a search that finds nothing is beside this form, and empties its field, too.
  if (shown !== search.query) {
    setShown(search.query);
    setQuery(search.query);
  }
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    onSearch({ standing, query: query.trim() });
  };
  const choose = (value: string) => {
    const chosen = options.find((option) => option.value === value);
    if (chosen) onSearch({ standing: chosen.value, query: query.trim() });
  };
  return (
    <search>
      <form onSubmit={submit} className={styles.search}>
        <TextField
          label="Name"
          type="search"
          maxLength={100}
          value={query}
          onChange={({ currentTarget }) => setQuery(currentTarget.value)}
        />
        <Button type="submit" kind="outline" busy={busy}>
          <Icon name="search" /> Search
        </Button>
        <div className={styles.filter}>
          <span aria-hidden="true">Show</span>
          <Select
            label="Show"
            options={options}
            value={standing}
            disabled={busy}
            onChange={({ currentTarget }) => choose(currentTarget.value)}
          />
        </div>
      </form>
    </search>
  );
}
