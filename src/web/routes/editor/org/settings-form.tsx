import { type ReactNode, useState } from 'react';
import type { OrgSettings } from '#contract/schemas/orgs.ts';
import { splitCharacters } from '#domain/characters.ts';
import { MAX_TAG_LENGTH, type Stats } from '#domain/org.ts';
import { ApiProblem } from '#web/api/api-error.ts';
import type { ApiClient } from '#web/api/client.ts';
import { FormCard } from '#web/forms/form-card.tsx';
import { useForm } from '#web/forms/use-form.ts';
import { groupTimeZones } from '#web/site/time-zones.ts';
import { Button } from '#web/ui/button.tsx';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { TextField } from '#web/ui/field.tsx';
import { SelectField } from '#web/ui/select-field.tsx';
import { ConflictDialog } from '../conflict-dialog.tsx';
import { describeSaveStatus } from '../describe-save-status.ts';
import styles from './org.module.css';
import {
  applyTheirs,
  createEdit,
  findSettingConflicts,
  findSettingsProblems,
  getBaseSettings,
  haveSettingsChanged,
  rebaseDraft,
  SETTINGS_FIELDS,
  type SettingConflict,
  type SettingsDraft,
  type SettingsField,
  toSettingsDraft,
} from './settings-draft.ts';
import { StatsFields } from './stats.tsx';

/** Settings that someone saved after this form was opened, and their conflicts with the form. */
type NewerSettings = {
  readonly settings: OrgSettings;
  readonly conflicts: readonly SettingConflict[];
  readonly savedBy: string;
  readonly isOwn: boolean;
};

export function useSettings(api: ApiClient, initial: OrgSettings) {
  const [savedSettings, setSavedSettings] = useState(initial);
  // The settings that the draft is based on. They are older than the saved ones if an old draft was restored.
  const [base, setBase] = useState(() => toSettingsDraft(initial));
  const [newer, setNewer] = useState<NewerSettings>();
  const form = useForm({
    initial: toSettingsDraft(initial),
    fields: SETTINGS_FIELDS,
    validate: (draft) => findSettingsProblems(draft, savedSettings),
  });
  const params = { orgid: savedSettings.id };
  /** Replaces the saved settings and the form's values. */
  const resetTo = (settings: OrgSettings, draft: SettingsDraft) => {
    setSavedSettings(settings);
    setBase(toSettingsDraft(settings));
    form.setValues(draft);
    setNewer(undefined);
  };
  const send = async (draft: SettingsDraft, saved: OrgSettings, sentBase: SettingsDraft): Promise<boolean> => {
    const edit = createEdit(draft, saved);
    const response = await form.submit(async () => {
      try {
        return await api.call('editOrg', { params, body: { ...edit, baseSettings: getBaseSettings(edit, sentBase) } });
      } catch (error) {
        const details = error instanceof ApiProblem ? error.getDetails('settings-changed') : undefined;
        if (!details) throw error;
        const settings = await api.call('readOrgSettings', { params });
        const conflicts = findSettingConflicts(draft, sentBase, settings);
        const savedBy = String(details.savedBy);
        setNewer({ settings, conflicts, savedBy, isOwn: details.isSavedByCaller === 1 });
        return undefined;
      }
    });
    if (!response?.result) return false;
    const { reviewStories = saved.reviewStories, editorsNeedSecondFactor = saved.editorsNeedSecondFactor } = edit;
    const settings = { ...saved, ...response.result, reviewStories, editorsNeedSecondFactor };
    resetTo(settings, toSettingsDraft(settings));
    return true;
  };
  const rebaseOwnDraft = (settings: OrgSettings) => rebaseDraft(form.values, base, toSettingsDraft(settings));
  return {
    saved: savedSettings,
    form,
    isUnsaved: haveSettingsChanged(form.values, savedSettings),
    newer,
    base,
    restoreDraft: (draft: SettingsDraft, draftBase: SettingsDraft) => {
      const savedDraft = toSettingsDraft(savedSettings);
      form.setValues(rebaseDraft(draft, draftBase, savedDraft));
      setBase(rebaseDraft(draftBase, draft, savedDraft));
    },
    /** @returns whether the settings were saved; if not, `form.problem` or `newer` has the reason */
    save: () => send(form.values, savedSettings, base),
    keepEditing: () => setNewer(undefined),
    takeTheirs: ({ settings, conflicts }: NewerSettings) =>
      resetTo(settings, applyTheirs(rebaseOwnDraft(settings), settings, conflicts)),
    overwrite: async ({ settings }: NewerSettings): Promise<boolean> => {
      const draft = rebaseOwnDraft(settings);
      resetTo(settings, draft);
      return send(draft, settings, toSettingsDraft(settings));
    },
  };
}

type Settings = ReturnType<typeof useSettings>;

type ConflictProps = { settings: Settings; newer: NewerSettings; onOverwrite: () => void };

/** Asks which version of the conflicting settings to keep. */
export function SettingsConflictDialog({ settings, newer, onOverwrite }: ConflictProps) {
  const formatSide = (side: 'theirText' | 'ownText') =>
    newer.conflicts.map((conflict) => `${conflict.label}: ${conflict[side]}`).join('\n');
  return (
    <ConflictDialog
      subject={newer.conflicts.length === 1 ? 'this setting' : 'these settings'}
      isOwn={newer.isOwn}
      theirText={formatSide('theirText')}
      ownText={formatSide('ownText')}
      keepEditingLabel="Back to my changes"
      takeTheirsLabel={newer.isOwn ? 'Use the saved version' : 'Use theirs'}
      busy={settings.form.busy}
      problem={settings.form.problem}
      onKeepEditing={settings.keepEditing}
      onTakeTheirs={() => settings.takeTheirs(newer)}
      onOverwrite={onOverwrite}
    >
      {newer.isOwn ? 'You' : <strong>{newer.savedBy}</strong>} saved this after you opened the page. Choose which
      version to keep. The other will be discarded.
    </ConflictDialog>
  );
}

type SettingsFormProps = { title: string; settings: Settings; onSave: () => void; children: ReactNode };

/** A section of the settings, with a button that saves the changes. */
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
      footer={
        <>
          <Button type="submit" kind="action" busy={busy} unavailable={!isUnsaved || !isValid}>
            {busy ? 'Saving…' : 'Save'}
          </Button>
          <p className={styles.status}>
            {isValid ? describeSaveStatus(isUnsaved) : 'Please fix the highlighted fields first.'}
          </p>
        </>
      }
    >
      {children}
    </FormCard>
  );
}

/** Props for a text field that shows its error even if it is empty. */
function getTextProps({ form: { fieldProps, errorOf } }: Settings, name: Exclude<SettingsField, 'statsDelta'>) {
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
      <TextField label="Name" autoComplete="off" required {...getTextProps(settings, 'name')} />
      <TextField
        label="Tag"
        autoComplete="off"
        required
        hint={`The tagline over the photo on the home page. ${splitCharacters(draft.tag).length} of ${MAX_TAG_LENGTH} characters.`}
        {...getTextProps(settings, 'tag')}
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
            ? 'The site’s short address. If you change it, the old address redirects here until another organization uses it.'
            : 'The site’s short address. Only admins can change it.'
        }
        {...getTextProps(settings, 'slug')}
      />
      <Checkbox
        checked={draft.showAwardees}
        onChange={({ currentTarget }) => change({ showAwardees: currentTarget.checked })}
      >
        Show awardees
        <small className={styles.hint}>If off, visitors see “How to apply” instead.</small>
      </Checkbox>
      <SettingsGroup
        title="Stats"
        lead="Stats are the ledger’s totals. A stats delta changes only the number shown. Grants are your published awardees or, once you record a paid grant here, the paid grants."
      >
        <StatsFields
          stats={stats}
          delta={draft.delta}
          onDeltaChange={(name, text) => change({ delta: { ...draft.delta, [name]: text } })}
        />
        <Button kind="outline" className={styles.correct} onClick={onCorrectStats}>
          Correct the stats…
        </Button>
      </SettingsGroup>
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
        {...getTextProps(settings, 'place')}
      />
      <SelectField
        id="time-zone"
        label="Time zone"
        options={groupTimeZones(settings.saved.timeZone)}
        value={draft.timeZone}
        disabled={!settings.saved.canChangeTimeZone}
        hint={`Determines a gift’s date on new receipts, in the ledger, and in charts. ${
          settings.saved.canChangeTimeZone
            ? 'You can change it until a month of the books is closed.'
            : 'It can’t change, because a month of the books is closed.'
        }`}
        error={settings.form.errorOf('timeZone', false)}
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
        label="Typical grant amount (optional)"
        prefix="$"
        inputMode="decimal"
        autoComplete="off"
        hint="What you pay for the work on one home, such as 4,500. Donors then see how their gift compares with a typical grant."
        {...getTextProps(settings, 'typicalGrant')}
      />
      <Checkbox
        checked={draft.takesApplications}
        onChange={({ currentTarget }) => change({ takesApplications: currentTarget.checked })}
      >
        Accept applications
        <small className={styles.hint}>
          If off, the “Get help with your home” page says that you aren’t accepting applications now, and shows your
          contact email.
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
        A passkey or an authenticator app, for every role. Set one up for yourself first, under My giving.
      </small>
    </Checkbox>
  );
}

function SettingsGroup({ title, lead, children }: { title: string; lead?: ReactNode; children: ReactNode }) {
  return (
    <fieldset className={styles.section}>
      <legend>{title}</legend>
      {lead && <p className={styles.lead}>{lead}</p>}
      {children}
    </fieldset>
  );
}
