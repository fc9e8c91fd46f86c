import type { OrgFrame } from '#web/site/page.ts';
import type { ToldStoryData } from './route.ts';
import { ToldFormPage } from './told-form-page.tsx';

/** An awardee, to be made or edited. */
export function EditAwardeePage(data: OrgFrame & ToldStoryData) {
  return <ToldFormPage {...data} kind="awardee" />;
}
