import { type ReactNode, useState } from 'react';
import type { OrgSettings } from '#contract/schemas/orgs.ts';
import { splitCharacters } from '#domain/characters.ts';
import { MAX_TAG_LENGTH, type Stats } from '#domain/org.ts';
import type { ApiClient } from '#web/api/client.ts';
import { FormCard } from '#web/forms/form-card.tsx';
import { useForm } from '#web/forms/use-form.ts';
import { Button } from '#web/ui/button.tsx';
import { Checkbox } from '#web/ui/choice.tsx';
import { TextField } from '#web/ui/field.tsx';
import { SelectField } from '#web/ui/select-field.tsx';
import styles from './org.module.css';
import {
  editOf,
  hasSettingsChanged,
  SETTINGS_FIELDS,
  type SettingsField,
  settingsDraftOf,
  settingsProblems,
} from './settings-draft.ts';
import { StatsFields } from './stats.tsx';
import { timeZoneGroups } from './time-zones.ts';

export function useSettings(api: ApiClient, initial: OrgSettings) {
  const [savedSettings, setSavedSettings] = useState(initial);
  const form = useForm({
    initial: settingsDraftOf(initial),
    fields: SETTINGS_FIELDS,
    problemsOf: (draft) => settingsProblems(draft, savedSettings),
  });
  /** @returns whether it was saved; the form shows why not */
  const save = async (): Promise<boolean> => {
    const body = editOf(form.values, savedSettings);
    const response = await form.submit(() => api.call('editOrg', { params: { orgid: savedSettings.id }, body }));
    if (!response) return false;
    const {
      reviewStories = savedSettings.reviewStories,
      editorsNeedSecondFactor = savedSettings.editorsNeedSecondFactor,
    } = body;
    const newSettings = { ...savedSettings, ...response.result, reviewStories, editorsNeedSecondFactor };
    setSavedSettings(newSettings);
    form.setValues(settingsDraftOf(newSettings));
    return true;
  };
  return { saved: savedSettings, form, isUnsaved: hasSettingsChanged(form.values, savedSettings), save };
}

type Settings = ReturnType<typeof useSettings>;

type SettingsFormProps = { title: string; settings: Settings; onSave: () => void; children: ReactNode };

/** A part of the settings, with a button that saves what changed. */
export function SettingsForm({ title, settings, onSave, children }: SettingsFormProps) {
  const { form, isUnsaved } = settings;
  const { problems, error, busy } = form;
  const isValid = Object.keys(problems).length === 0;
  return (
    <FormCard
      title={title}
      sending={busy}
      error={error}
      onSubmit={() => isUnsaved && isValid && onSave()}
      foot={
        <>
          <Button type="submit" kind="action" busy={busy} disabled={!isUnsaved || !isValid}>
            {busy ? 'Saving…' : 'Save'}
          </Button>
          <p className={styles.status}>{saveStatus(isUnsaved, isValid)}</p>
        </>
      }
    >
      {children}
    </FormCard>
  );
}

/** An emptied field has an error too. */
function textPropsOf({ form: { fieldProps, errorOf } }: Settings, name: SettingsField) {
  return { ...fieldProps(name), error: errorOf(name, false) };
}

type BasicFieldsProps = {
  settings: Settings;
  /** The ledger's totals. */
  stats: Stats;
  /** True for admins (§5). */
  canSetSlug: boolean;
  onCorrectStats: () => void;
};

/** The name, tag, slug, awardees, and stats (§2). */
export function BasicFields({ settings, stats, canSetSlug, onCorrectStats }: BasicFieldsProps) {
  const { values: draft, change } = settings.form;
  return (
    <>
      <TextField label="Name" autoComplete="off" required {...textPropsOf(settings, 'name')} />
      <TextField
        label="Tag"
        autoComplete="off"
        required
        hint={`The tagline over the photo on the home page. ${splitCharacters(draft.tag).length} of ${MAX_TAG_LENGTH} characters.`}
        {...textPropsOf(settings, 'tag')}
      />
      <TextField
        label="Slug"
        prefix="/"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        disabled={!canSetSlug}
        hint={
          canSetSlug
            ? 'The short address of the site. If you change it, the old one redirects here until another organization takes it.'
            : 'The short address of the site. Only admins can change it.'
        }
        {...textPropsOf(settings, 'slug')}
      />
      <Checkbox
        checked={draft.showAwardees}
        onChange={({ currentTarget }) => change({ showAwardees: currentTarget.checked })}
      >
        Show awardees
        <small className={styles.hint}>If off, visitors see “How to apply” instead.</small>
      </Checkbox>
      <SettingsSection
        title="Stats"
        lead="Stats are the ledger’s totals. A stats delta changes only the number shown. Grants are your published awardees or, once you record a paid grant here, the paid grants."
      >
        <StatsFields
          stats={stats}
          delta={draft.delta}
          onDelta={(name, text) => change({ delta: { ...draft.delta, [name]: text } })}
        />
        <Button kind="outline" className={styles.correct} onClick={onCorrectStats}>
          Correct the stats…
        </Button>
      </SettingsSection>
    </>
  );
}

export function PlaceFields({ settings }: { settings: Settings }) {
  const { values: draft, change } = settings.form;
  return (
    <>
      <TextField
        id="place"
        label="Place (optional)"
        autoComplete="off"
        hint="The city you serve, such as “Ithaca, New York”. Shown above the tagline."
        {...textPropsOf(settings, 'place')}
      />
      <SelectField
        id="time-zone"
        label="Time zone"
        options={timeZoneGroups(settings.saved.timeZone)}
        value={draft.timeZone}
        hint="Decides the date of a gift on new receipts, in the ledger and in charts. If you change it, the dates shown change; the recorded times don’t."
        onChange={({ currentTarget }) => change({ timeZone: currentTarget.value })}
      />
    </>
  );
}

export function GrantFields({ settings }: { settings: Settings }) {
  const { values: draft, change } = settings.form;
  return (
    <>
      <TextField
        id="typical-grant"
        label="A typical grant pays (optional)"
        prefix="$"
        inputMode="decimal"
        autoComplete="off"
        hint="What you pay for the work on one home, such as 4,500. Donors then read how their gift compares with a typical grant."
        {...textPropsOf(settings, 'typicalGrant')}
      />
      <Checkbox
        checked={draft.takesApplications}
        onChange={({ currentTarget }) => change({ takesApplications: currentTarget.checked })}
      >
        Take applications
        <small className={styles.hint}>
          If off, “Get help with your home” says that you take no applications now, with your contact address.
        </small>
      </Checkbox>
      <Checkbox
        checked={draft.reviewStories}
        onChange={({ currentTarget }) => change({ reviewStories: currentTarget.checked })}
      >
        Review stories before publishing
        <small className={styles.hint}>Each new story stays hidden until an editor publishes it.</small>
      </Checkbox>
    </>
  );
}

export function SecurityFields({ settings }: { settings: Settings }) {
  const { values: draft, change } = settings.form;
  return (
    <Checkbox
      checked={draft.editorsNeedSecondFactor}
      onChange={({ currentTarget }) => change({ editorsNeedSecondFactor: currentTarget.checked })}
    >
      Editors need a second step to log in
      <small className={styles.hint}>
        A passkey or an authenticator app, for every role. You need one yourself first, in My giving.
      </small>
    </Checkbox>
  );
}

function SettingsSection({ title, lead, children }: { title: string; lead?: ReactNode; children: ReactNode }) {
  return (
    <fieldset className={styles.section}>
      <legend>{title}</legend>
      {lead && <p className={styles.lead}>{lead}</p>}
      {children}
    </fieldset>
  );
}

function saveStatus(isUnsaved: boolean, isValid: boolean): string {
  if (!isValid) return 'Please correct the marked fields first.';
  return isUnsaved ? 'Your changes haven’t been saved.' : 'All changes are saved.';
}
