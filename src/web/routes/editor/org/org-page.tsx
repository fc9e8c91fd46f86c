import { useState } from 'react';
import type { OrgAdjustment } from '#contract/schemas/orgs.ts';
import { useNavigator } from '#web/navigation/use-navigator.ts';
import { useApi, useSession } from '#web/session/app-context.ts';
import type { OrgFrame } from '#web/site/page.ts';
import { LeaveDialog, useLeaveGuard } from '#web/ui/confirm-dialog.tsx';
import { Card } from '#web/ui/layout.tsx';
import { useToast } from '#web/ui/toast.tsx';
import { EditorFrame } from '../editor-frame.tsx';
import { useDates } from '../use-dates.ts';
import { FactorsForm, useFactors } from './factors-form.tsx';
import { HeaderPhotoForm, useHeaderChange } from './header-photo.tsx';
import styles from './org.module.css';
import { loadOrgSettings, type OrgSettingsData } from './route.ts';
import { changeText, type StatsCorrection } from './settings-draft.ts';
import { SettingsForm, useSettings } from './settings-form.tsx';
import { CorrectStatsDialog } from './stats.tsx';

/** The settings of an organization, for its editors (§2). */
export function OrgPage(props: OrgFrame & OrgSettingsData) {
  return <OrgSettingsById key={props.org.id} {...props} />;
}

function OrgSettingsById(props: OrgFrame & OrgSettingsData) {
  const page = useOrgPage(props);
  const { settings, photo, leaving } = page;
  const { saved } = settings;
  return (
    <EditorFrame org={props.org} title="Org settings" lead="Changes go live as soon as you save.">
      <SettingsForm
        settings={settings}
        maySetSlug={page.maySetSlug}
        onSave={() => void page.save()}
        onCorrectStats={() => page.setCorrecting(true)}
      />
      <FactorsForm org={props.org} form={page.factors} />
      <HeaderPhotoForm
        photo={saved.photo}
        header={photo.header}
        onUpload={() => void photo.upload()}
        onRemove={async () => void (await photo.remove())}
      />
      <AdjustmentList adjustments={saved.adjustments} />
      {page.correcting && (
        <CorrectStatsDialog
          stats={saved.stats}
          onCorrect={page.correctStats}
          onClose={() => page.setCorrecting(false)}
        />
      )}
      <LeaveDialog leave={leaving.leave} stay={leaving.stay} />
    </EditorFrame>
  );
}

function AdjustmentList({ adjustments }: { adjustments: readonly OrgAdjustment[] }) {
  const { dateText } = useDates();
  if (adjustments.length === 0) return null;
  return (
    <Card aria-labelledby="adjustments" className={styles.card}>
      <h2 id="adjustments">Past corrections</h2>
      <ol>
        {adjustments.map(({ id, change, reason, by, createdTimestamp }) => (
          <li key={id} className={styles.adjustment}>
            <p className={styles.change}>{changeText(change)}</p>
            <p>{reason}</p>
            <p className={styles.lead}>
              {dateText(createdTimestamp)}, by {by ?? 'a deleted account'}
            </p>
          </li>
        ))}
      </ol>
    </Card>
  );
}

function useOrgPage({ org, settings: loaded }: OrgFrame & OrgSettingsData) {
  const api = useApi();
  const toast = useToast();
  const navigator = useNavigator();
  const { admin, emailVerified } = useSession();
  const params = { orgid: loaded.id };
  const settings = useSettings(api, loaded);
  const [correcting, setCorrecting] = useState(false);
  const show = () => {
    // Pages loaded earlier show the organization as it was.
    navigator.forget();
    void navigator.refresh();
  };
  const finish = () => {
    toast('saved');
    show();
  };
  const factors = useFactors(api, org, finish);
  /** Reads the settings again. The change itself is done, even if they cannot be read now. */
  const reload = async () => {
    const read = await loadOrgSettings(api, loaded.id).catch(() => undefined);
    if (read) settings.update(read.settings);
  };

  const save = async () => {
    if (await settings.save()) finish();
  };
  const correctStats = async (body: StatsCorrection) => {
    try {
      await api.call('editOrg', { params, body });
    } finally {
      // If the totals changed in the meantime, the dialog then shows the new ones.
      await reload();
    }
    setCorrecting(false);
    finish();
  };
  const photo = useHeaderChange({
    api,
    orgid: loaded.id,
    photo: settings.saved.photo,
    onChanged: async () => {
      await reload();
      show();
    },
  });
  const leaving = useLeaveGuard(settings.isUnsaved || factors.isChanged || photo.header.photo !== undefined);
  return {
    settings,
    photo,
    leaving,
    factors,
    save,
    correctStats,
    correcting,
    setCorrecting,
    maySetSlug: admin && emailVerified,
  };
}
