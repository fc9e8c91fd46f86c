import type { FreeMoneyAnswer } from '#contract/schemas/grants.ts';
import type { Overview } from '#contract/schemas/treasury.ts';
import { PERIODS, type Period } from '#domain/overview.ts';
import { can } from '#domain/permissions.ts';
import { actorOf } from '#web/session/actor.ts';
import { orgPage, type Page } from '#web/site/page.ts';

export type OverviewData = {
  readonly period: Period;
  /** Undefined for a role that does not see gifts. */
  readonly overview: Overview | undefined;
  readonly free?: FreeMoneyAnswer;
  /** For a role that reviews stories, and does not see the rest of what waits. */
  readonly waitingStories?: number;
};

export const OVERVIEW_PAGES: readonly Page[] = [
  {
    guard: 'area.visit',
    ...orgPage(
      'overview-page',
      async () => (await import('./overview-page.tsx')).OverviewPage,
      async ({ api, params: { orgid }, search, session }): Promise<OverviewData> => {
        const period = PERIODS.find((each) => each === search.period) ?? 'year';
        const actor = actorOf(session.now());
        if (!can(actor, 'overview.read', { orgId: orgid })) {
          if (!can(actor, 'stories.edit', { orgId: orgid })) return { period, overview: undefined };
          const { waiting } = await api.call('readReview', { params: { orgid } });
          return { period, overview: undefined, waitingStories: waiting };
        }
        const [overview, free] = await Promise.all([
          api.call('readOverview', { params: { orgid }, query: { period } }),
          api.call('readFreeMoney', { params: { orgid } }),
        ]);
        return { period, overview, free };
      },
    ),
  },
];
