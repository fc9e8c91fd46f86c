import type { AttentionItem } from '#contract/schemas/attention.ts';
import type { ShownFigures } from '#contract/schemas/operation.ts';
import type { ApiClient, ListAnswer } from '#web/api/client.ts';
import { type Page, sitePage } from '#web/site/page.ts';

export type AdminData = {
  readonly orgs: ListAnswer<'readOrgs'>;
  /** Payments that name no organization. */
  readonly attention: readonly AttentionItem[];
  readonly figures: ShownFigures;
};

export const ADMIN_PAGES: readonly Page[] = [
  {
    guard: 'admin.visit',
    ...sitePage(
      'admin-page',
      async () => (await import('./admin-page.tsx')).AdminPage,
      async ({ api }) => {
        const [orgs, attention, figures] = await Promise.all([
          loadOrgs(api),
          api.call('readStrayAttention', {}),
          api.call('readFigures', {}),
        ]);
        return { orgs, attention, figures };
      },
    ),
  },
];

/** Newest first, ten at a time (§9). */
export function loadOrgs(api: ApiClient, cursorRef?: string): Promise<ListAnswer<'readOrgs'>> {
  return api.list('readOrgs', { query: cursorRef === undefined ? {} : { cursorRef } });
}
