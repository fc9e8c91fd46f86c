import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Org, OrgAdjustment } from '#contract/schemas/orgs.ts';
import { FormPage } from '#web/forms/form-page.tsx';
import { useLeaveGuard } from '#web/forms/leave-guard.tsx';
import { useNavigator } from '#web/navigation/use-navigator.ts';
import { useApi, useSession } from '#web/session/app-context.ts';
import { useDraft } from '#web/session/use-draft.ts';
import type { OrgPageProps } from '#web/site/page.ts';
import { Card } from '#web/ui/layout.tsx';
import { SegmentLinks } from '#web/ui/segment-links.tsx';
import { useToast } from '#web/ui/toast.tsx';
import { EditorArea } from '../editor-frame.tsx';
import { DraftNote } from '../unsaved-draft-note.tsx';
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
  return <OrgSettings key={`${org.id} ${section}`} org={org} section={section} />;
}

type SectionProps = { org: Org; section: OrgSection };

function OrgSettings({ org, section }: SectionProps) {
  const page = useOrgPage(org, section);
  return (
    <EditorArea org={org}>
      <FormPage title="Org settings" subtitle="Changes go live as soon as you save." leaveGuard={page.leaving}>
        <div className={styles.tabs}>
          <SegmentLinks label="Sections of the settings" segments={getSectionLinks(org.id, section)} />
        </div>
        <DraftNote draft={page.draft} />
        <Section org={org} section={section} page={page} />
        {page.settings.newer && (
          <SettingsConflictDialog
            settings={page.settings}
            newer={page.settings.newer}
            onSaveMine={() => void page.saveMine()}
          />
        )}
        {page.isCorrecting && (
          <CorrectStatsDialog
            stats={page.current.stats}
            onCorrect={page.correctStats}
            onClose={() => page.setIsCorrecting(false)}
          />
        )}
      </FormPage>
    </EditorArea>
  );
}

function Section({ org, section, page }: SectionProps & { page: ReturnType<typeof useOrgPage> }) {
  const { current, settings, photo } = page;
  const form = { settings, onSave: () => void page.save() };
  switch (section) {
    case 'basics':
      return (
        <>
          <SettingsForm title="Settings" {...form}>
            <BasicFields
              settings={settings}
              stats={current.stats}
              canSetSlug={page.canSetSlug}
              onCorrectStats={() => page.setIsCorrecting(true)}
            />
          </SettingsForm>
          <HeaderPhotoForm
            photo={current.photo}
            header={photo.header}
            onUpload={() => void photo.upload()}
            onRemove={async () => void (await photo.remove())}
          />
          <AdjustmentList adjustments={current.adjustments} />
        </>
      );
    case 'place':
      return (
        <SettingsForm title="Place and time" {...form}>
          <PlaceFields settings={settings} />
        </SettingsForm>
      );
    case 'grants':
      return (
        <SettingsForm title="Grants and stories" {...form}>
          <GrantFields settings={settings} />
        </SettingsForm>
      );
    case 'calculator':
      return <FactorsForm org={org} form={page.factors} />;
    case 'security':
      return (
        <SettingsForm title="Security" {...form}>
          <SecurityFields settings={settings} />
        </SettingsForm>
      );
  }
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

function useOrgPage(org: Org, section: OrgSection) {
  const api = useApi();
  const toast = useToast();
  const navigator = useNavigator();
  const client = useQueryClient();
  const { admin, emailVerified } = useSession();
  const query = settingsQuery(api, org.id);
  const { data: current } = useSuspenseQuery(query);
  const settings = useSettings(api, current);
  const [isCorrecting, setIsCorrecting] = useState(false);
  // Reloads the organization that the page frame shows.
  const reloadFrame = () => void navigator.refresh();
  const finish = () => {
    toast('saved');
    reloadFrame();
  };
  const factors = useFactors(api, org, finish);

  const draft = useDraft({
    name: `settings-${section}-${org.id}`,
    values: settings.draftValues,
    savedValues: { ...toSettingsDraft(settings.saved), seen: toSettingsDraft(settings.saved) },
    isUnsaved: settings.isUnsaved,
    setValues: settings.restoreDraft,
  });

  const save = async () => {
    if (await settings.save()) finish();
  };
  const saveMine = async () => {
    if (settings.newer && (await settings.saveMine(settings.newer))) finish();
  };
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
  const photo = useHeaderChange({ api, orgId: org.id, photo: current.photo, onChanged: reloadFrame });
  const leaving = useLeaveGuard(settings.isUnsaved || factors.isChanged || photo.header.photo !== undefined);
  return {
    current,
    settings,
    draft,
    photo,
    leaving,
    factors,
    save,
    saveMine,
    correctStats,
    isCorrecting,
    setIsCorrecting,
    canSetSlug: admin && emailVerified,
  };
}
