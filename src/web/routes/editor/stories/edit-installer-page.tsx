import type { OrgFrame } from '#web/site/page.ts';
import type { ToldStoryData } from './route.ts';
import { ToldFormPage } from './told-form-page.tsx';

/** An installer, to be made or edited. */
export function EditInstallerPage(data: OrgFrame & ToldStoryData) {
  return <ToldFormPage {...data} kind="installer" />;
}
