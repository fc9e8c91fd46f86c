import type { Answer } from '#contract/schemas.ts';
import type { ApiClient } from '#web/api/client.ts';
import { orgPage, type Page } from '#web/site/page.ts';

export type EditorsData = { readonly team: Answer<'readEditors'> };

export const EDITORS_PAGES: readonly Page[] = [
  {
    guard: 'editors.read',
    ...orgPage(
      'editors-page',
      async () => (await import('./editors-page.tsx')).EditorsPage,
      ({ api, params }) => loadEditors(api, params.orgid),
    ),
  },
];

export async function loadEditors(api: ApiClient, orgid: string): Promise<EditorsData> {
  return { team: await api.call('readEditors', { params: { orgid } }) };
}
