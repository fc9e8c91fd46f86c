import type { OrgFrame } from '#web/site/page.ts';
import { LeaveDialog } from '#web/ui/leave-dialog.tsx';
import { EditorFrame } from '../editor-frame.tsx';
import { AdjustmentList } from './adjustment-list.tsx';
import { HeaderPhotoForm } from './header-photo-form.tsx';
import type { OrgSettingsData } from './route.ts';
import { SetStatsDialog } from './set-stats-dialog.tsx';
import { SettingsForm } from './settings-form.tsx';
import { useOrgPage } from './use-org-page.ts';

/** The settings of an organisation, for its editors (§2). */
export function OrgPage(props: OrgFrame & OrgSettingsData) {
  return <OrgSettingsById key={props.org.id} {...props} />;
}

function OrgSettingsById(props: OrgFrame & OrgSettingsData) {
  const page = useOrgPage(props);
  const { settings, header, leaving } = page;
  const { saved } = settings;
  return (
    <EditorFrame org={props.org} title="Org settings" lead="What you save is on the public site at once.">
      <SettingsForm
        settings={settings}
        maySetSlug={page.maySetSlug}
        onSave={() => void page.save()}
        onSetStats={page.askForStats}
      />
      <HeaderPhotoForm
        photo={saved.photo}
        header={header}
        onUpload={() => void page.uploadHeader()}
        onRemove={page.removeHeader}
      />
      <AdjustmentList adjustments={saved.adjustments} />
      {page.settingStats && <SetStatsDialog stats={saved.stats} onSet={page.setStats} onClose={page.closeStats} />}
      <LeaveDialog leave={leaving.leave} stay={leaving.stay} />
    </EditorFrame>
  );
}
