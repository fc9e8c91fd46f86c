import { ACTIVITY_SUBJECTS, type ActivitySubject } from '#domain/activity.ts';
import { MAX_NAME_LENGTH } from '#domain/profile.ts';
import { useNavigator } from '#web/navigation/use-navigator.ts';
import { Button } from '#web/ui/button.tsx';
import { TextField } from '#web/ui/field.tsx';
import { Cluster } from '#web/ui/layout.tsx';
import { SearchForm } from '#web/ui/search-form.tsx';
import { SelectField } from '#web/ui/select-field.tsx';
import { useStateFrom } from '#web/ui/use-state-from.ts';
import styles from './activity-filters.module.css';
import { type ActivityView, activityUrl, isFilteredActivity } from './activity-view.ts';

const SUBJECT_LABELS: Readonly<Record<ActivitySubject, string>> = {
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
  /** The page's path, without filters. */
  path: string;
  view: ActivityView;
  /** Subjects that the person may see. */
  subjects?: readonly ActivitySubject[];
};

/** Filters the audit trail by person, subject, and days. */
export function ActivityFilters({ path, view, subjects = ACTIVITY_SUBJECTS }: ActivityFiltersProps) {
  const navigator = useNavigator();
  const [values, setValues] = useStateFrom(view, JSON.stringify(view));
  const change = (changes: Partial<ActivityView>) => setValues((previous) => ({ ...previous, ...changes }));
  const show = (newView: Partial<ActivityView>) => void navigator.go(activityUrl(path, newView), { keepScroll: true });
  return (
    <SearchForm className={styles.filters} onSearch={() => show(values)}>
      <TextField
        label="Name or full email"
        type="search"
        maxLength={MAX_NAME_LENGTH}
        autoComplete="off"
        value={values.person}
        onChange={({ currentTarget }) => change({ person: currentTarget.value })}
      />
      <SelectField
        label="Type"
        value={values.subject ?? ''}
        options={[
          { value: '', label: 'Everything' },
          ...subjects.map((subject) => ({ value: subject, label: SUBJECT_LABELS[subject] })),
        ]}
        onChange={({ currentTarget }) => {
          const subject = subjects.find((candidate) => candidate === currentTarget.value);
          change({ subject });
          show({ ...values, subject });
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
        <Button type="submit">Show</Button>
        {isFilteredActivity(view) && (
          <Button kind="quiet" onClick={() => show({})}>
            Show all
          </Button>
        )}
      </Cluster>
    </SearchForm>
  );
}
