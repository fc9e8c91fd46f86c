import type { OrgFrame } from '../page-data.ts';
import type { ToldStoryData } from '../story-editing-data.ts';
import { ToldFormPage } from './told-form-page.tsx';

/** An installer, to be made or edited. */
export function EditInstallerPage(data: OrgFrame & ToldStoryData) {
  return <ToldFormPage {...data} kind="installer" />;
}
