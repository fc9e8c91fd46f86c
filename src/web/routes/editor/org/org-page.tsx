import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { Org, OrgAdjustment } from '#contract/schemas/orgs.ts';
import { FormPage } from '#web/forms/form-page.tsx';
import { useLeaveGuard } from '#web/forms/leave-guard.tsx';
import { useNavigator } from '#web/navigation/use-navigator.ts';
import { useCan } from '#web/session/actor.ts';
import { useApi } from '#web/session/app-context.ts';
import { DraftNote } from '#web/session/unsaved-draft-note.tsx';
import { useDraft } from '#web/session/use-draft.ts';
import type { OrgPageProps } from '#web/site/page.ts';
import { Card } from '#web/ui/layout.tsx';
import { SegmentLinks } from '#web/ui/segment-links.tsx';
import { useToast } from '#web/ui/toast.tsx';
import { EditorArea } from '../editor-frame.tsx';
import { useDates } from '../use-dates.ts';
import { FactorsForm, useFactors } from './factors-form.tsx';
import { HeaderPhotoForm, useHeaderChange } from './header-photo.tsx';
import styles from './org.module.css';
import { getSectionLinks, type OrgSection } from './org-sections.ts';
import { type OrgData, settingsQuery } from './route.ts';
import { formatAdjustment, type StatsCorrection, toSettingsDraft } from './settings-draft.ts';
import {
  BasicFields,
  GrantFields,
  PlaceFields,
  SecurityFields,
  SettingsConflictDialog,
  SettingsForm,
  useSettings,
} from './settings-form.tsx';
import { CorrectStatsDialog } from './stats.tsx';

/** An organization's settings (§2), one section at a time. */
export function OrgPage({ org, section }: OrgPageProps & OrgData) {
  const key = `${org.id} ${section}`;
  switch (section) {
    case 'basics':
      return <BasicsSection key={key} org={org} />;
    case 'calculator':
      return <CalculatorSection key={key} org={org} />;
    case 'place':
    case 'grants':
    case 'security':
      return <SettingsSection key={key} org={org} section={section} />;
  }
}

type SectionProps = { org: Org };

/** The settings from §2, the header photo, and corrections of the stats. */
function BasicsSection({ org }: SectionProps) {
  const api = useApi();
  const client = useQueryClient();
  const canSetSlug = useCan(org.id)('org.edit-slug');
  const { storedSettings, query, reloadFrame, finish } = useStoredSettings(org);
  const form = useSettingsForm(org, 'basics');
  const photo = useHeaderChange({ api, orgId: org.id, photo: storedSettings.photo, onChanged: reloadFrame });
  const [isCorrecting, setIsCorrecting] = useState(false);
  const correctStats = async (body: StatsCorrection) => {
    try {
      await api.call('editOrg', { params: { orgid: org.id }, body });
    } finally {
      // If the totals changed after they were loaded, the dialog shows the new ones.
      await client.refetchQueries({ queryKey: query.queryKey });
    }
    setIsCorrecting(false);
    finish();
  };
  return (
    <SectionFrame org={org} section="basics" isUnsaved={form.settings.isUnsaved || photo.header.photo !== undefined}>
      <SettingsCard title="Settings" form={form}>
        <BasicFields
          settings={form.settings}
          stats={storedSettings.stats}
          canSetSlug={canSetSlug}
          onCorrectStats={() => setIsCorrecting(true)}
        />
      </SettingsCard>
      <HeaderPhotoForm
        photo={storedSettings.photo}
        header={photo.header}
        onUpload={() => void photo.upload()}
        onRemove={photo.remove}
      />
      <AdjustmentList adjustments={storedSettings.adjustments} />
      {isCorrecting && (
        <CorrectStatsDialog
          stats={storedSettings.stats}
          onCorrect={correctStats}
          onClose={() => setIsCorrecting(false)}
        />
      )}
    </SectionFrame>
  );
}

const SETTINGS_SECTIONS = {
  place: { title: 'Location and time zone', Fields: PlaceFields },
  grants: { title: 'Grants and stories', Fields: GrantFields },
  security: { title: 'Security', Fields: SecurityFields },
} as const;

/** A section that has only settings. */
function SettingsSection({ org, section }: SectionProps & { section: keyof typeof SETTINGS_SECTIONS }) {
  const form = useSettingsForm(org, section);
  const { title, Fields } = SETTINGS_SECTIONS[section];
  return (
    <SectionFrame org={org} section={section} isUnsaved={form.settings.isUnsaved}>
      <SettingsCard title={title} form={form}>
        <Fields settings={form.settings} />
      </SettingsCard>
    </SectionFrame>
  );
}

function CalculatorSection({ org }: SectionProps) {
  const factors = useFactors(useApi(), org, useStoredSettings(org).finish);
  return (
    <SectionFrame org={org} section="calculator" isUnsaved={factors.isChanged}>
      <DraftNote draft={factors.formDraft} />
      <FactorsForm org={org} form={factors} />
    </SectionFrame>
  );
}

type SectionFrameProps = SectionProps & { section: OrgSection; isUnsaved: boolean; children: ReactNode };

function SectionFrame({ org, section, isUnsaved, children }: SectionFrameProps) {
  const leaveGuard = useLeaveGuard(isUnsaved);
  return (
    <EditorArea org={org}>
      <FormPage title="Org settings" subtitle="Changes go live as soon as you save." leaveGuard={leaveGuard}>
        <div className={styles.tabs}>
          <SegmentLinks label="Sections of the settings" segments={getSectionLinks(org.id, section)} />
        </div>
        {children}
      </FormPage>
    </EditorArea>
  );
}

type SettingsCardProps = { title: string; form: ReturnType<typeof useSettingsForm>; children: ReactNode };

/** A section's settings, with its draft and any conflict with another editor. */
function SettingsCard({ title, form: { settings, draft, save, overwrite }, children }: SettingsCardProps) {
  return (
    <>
      <DraftNote draft={draft} />
      <SettingsForm title={title} settings={settings} onSave={() => void save()}>
        {children}
      </SettingsForm>
      {settings.newer && (
        <SettingsConflictDialog settings={settings} newer={settings.newer} onOverwrite={() => void overwrite()} />
      )}
    </>
  );
}

function AdjustmentList({ adjustments }: { adjustments: readonly OrgAdjustment[] }) {
  const { formatDate } = useDates();
  if (adjustments.length === 0) return null;
  return (
    <Card aria-labelledby="adjustments" className={styles.card}>
      <h2 id="adjustments">Past corrections</h2>
      <ol>
        {adjustments.map(({ id, change, reason, by, createdTimestamp }) => (
          <li key={id} className={styles.adjustment}>
            <p className={styles.change}>{formatAdjustment(change)}</p>
            <p>{reason}</p>
            <p className={styles.lead}>
              {formatDate(createdTimestamp)}, by {by ?? 'a deleted account'}
            </p>
          </li>
        ))}
      </ol>
    </Card>
  );
}

/** The stored settings, and functions to call after a change. */
function useStoredSettings(org: Org) {
  const toast = useToast();
  const navigator = useNavigator();
  const query = settingsQuery(useApi(), org.id);
  const { data: storedSettings } = useSuspenseQuery(query);
  // Reloads the organization that the page frame shows.
  const reloadFrame = () => void navigator.refresh();
  const finish = () => {
    toast('saved');
    reloadFrame();
  };
  return { storedSettings, query, reloadFrame, finish };
}

function useSettingsForm(org: Org, section: OrgSection) {
  const { storedSettings, finish } = useStoredSettings(org);
  const settings = useSettings(useApi(), storedSettings);
  const draft = useDraft({
    name: `settings-${section}-${org.id}`,
    values: settings.form.values,
    base: settings.base,
    savedValues: toSettingsDraft(settings.saved),
    isUnsaved: settings.isUnsaved,
    restore: settings.restoreDraft,
  });
  const save = async () => {
    if (await settings.save()) finish();
  };
  const overwrite = async () => {
    if (settings.newer && (await settings.overwrite(settings.newer))) finish();
  };
  return { settings, draft, save, overwrite };
}
