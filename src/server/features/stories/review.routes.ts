import type { FastifyInstance } from 'fastify';
import type { AppDeps } from '#server/deps.ts';
import { ListPart, registerCall } from '#server/http/call-route.ts';
import { readOffsettersToReview, readReview } from './read-review.ts';
import { setOffsetterStatus } from './set-offsetter-status.ts';

const theirs = { action: 'stories.edit' } as const;

/** What the editors of an organisation decide of its offsetters (decisions §5). */
export async function reviewRoutes(app: FastifyInstance, deps: AppDeps): Promise<void> {
  const { db } = deps;
  registerCall(app, deps, 'readReview', {
    ...theirs,
    handle: ({ org }) => readReview(db, org),
  });
  registerCall(app, deps, 'readOffsettersToReview', {
    ...theirs,
    handle: async ({ params, query }) => {
      const { offsetters, nextCursor } = await readOffsettersToReview(db, params.orgid, query);
      return new ListPart(offsetters, nextCursor);
    },
  });
  registerCall(app, deps, 'setOffsetterStatus', {
    ...theirs,
    handle: ({ params, body }) =>
      setOffsetterStatus(deps, { orgId: params.orgid, id: params.offsetterid }, body.status),
  });
}
