import { useState } from 'react';
import { ACTIVITY_THINGS, type ActivityThing } from '#domain/activity.ts';
import { MAX_NAME_LENGTH } from '#domain/profile.ts';
import { useNavigator } from '#web/navigation/use-navigator.ts';
import { Button } from '#web/ui/button.tsx';
import { TextField } from '#web/ui/field.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { Cluster } from '#web/ui/layout.tsx';
import { SelectField } from '#web/ui/select-field.tsx';
import styles from './activity-filters.module.css';
import { type ActivityView, activityAddress, isFilteredActivity } from './activity-view.ts';

const THING_LABELS: Readonly<Record<ActivityThing, string>> = {
  gifts: 'Gifts and receipts',
  donors: 'Donors and downloads',
  grants: 'Grants',
  bank: 'Bank and closed months',
  stories: 'Stories',
  pages: 'Pages',
  settings: 'Settings',
  team: 'Team',
  accounts: 'Accounts and logins',
};

type ActivityFiltersProps = {
  /** The page without filters. */
  path: string;
  view: ActivityView;
  /** Things that the person may see. */
  things?: readonly ActivityThing[];
};

/** Filters the record by person, thing, and days. */
export function ActivityFilters({ path, view, things = ACTIVITY_THINGS }: ActivityFiltersProps) {
  // A new view, such as after the back button, resets the fields.
  return <FilterForm key={JSON.stringify(view)} path={path} view={view} things={things} />;
}

function FilterForm({ path, view, things }: Required<ActivityFiltersProps>) {
  const navigator = useNavigator();
  const [values, setValues] = useState(view);
  const change = (changes: Partial<ActivityView>) => setValues((previous) => ({ ...previous, ...changes }));
  const show = (next: Partial<ActivityView>) => void navigator.go(activityAddress(path, next), { keepScroll: true });
  return (
    <search>
      <form
        className={styles.filters}
        onSubmit={(event) => {
          event.preventDefault();
          show(values);
        }}
      >
        <TextField
          label="Name or whole email"
          type="search"
          maxLength={MAX_NAME_LENGTH}
          autoComplete="off"
          value={values.person}
          onChange={({ currentTarget }) => change({ person: currentTarget.value })}
        />
        <SelectField
          label="Type"
          value={values.thing ?? ''}
          options={[
            { value: '', label: 'Everything' },
            ...things.map((thing) => ({ value: thing, label: THING_LABELS[thing] })),
          ]}
          onChange={({ currentTarget }) => {
            const thing = things.find((each) => each === currentTarget.value);
            change({ thing });
            show({ ...values, thing });
          }}
        />
        <TextField
          label="From"
          type="date"
          value={values.from ?? ''}
          onChange={({ currentTarget }) => change({ from: currentTarget.value || undefined })}
        />
        <TextField
          label="To"
          type="date"
          value={values.to ?? ''}
          onChange={({ currentTarget }) => change({ to: currentTarget.value || undefined })}
        />
        <Cluster gap={2} className={styles.buttons}>
          <Button type="submit">
            <Icon name="search" /> Show
          </Button>
          {isFilteredActivity(view) && (
            <Button kind="quiet" onClick={() => show({})}>
              Show all
            </Button>
          )}
        </Cluster>
      </form>
    </search>
  );
}
