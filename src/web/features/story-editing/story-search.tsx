import { type SubmitEvent, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Select } from '../../ui/select.tsx';
import styles from './story-editing.module.css';

type StorySearchProps<Standing extends string> = {
  options: readonly { readonly value: Standing; readonly label: string }[];
  standing: Standing;
  busy: boolean;
  onSearch: (search: { readonly standing: Standing; readonly query: string }) => void;
};

/** Which stories of a list are shown: by status, and by a part of the name. */
export function StorySearch<Standing extends string>(props: StorySearchProps<Standing>) {
  const { options, standing, busy, onSearch } = props;
  const [query, setQuery] = useState('');
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
