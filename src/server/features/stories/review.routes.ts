import type { FastifyInstance } from 'fastify';
import { Failure } from '#domain/failures.ts';
import type { AppDeps } from '#server/deps.ts';
import { ListPart, registerCall } from '#server/http/call-route.ts';
import { readOffsettersToReview, readReview } from './read-review.ts';
import { setOffsetterStatus } from './set-offsetter-status.ts';

const theirs = { action: 'stories.edit', subject: ({ orgid }: { orgid: string }) => ({ orgId: orgid }) } as const;

/** What the editors of an organisation decide of its offsetters (decisions §5). */
export async function reviewRoutes(app: FastifyInstance, deps: AppDeps): Promise<void> {
  const { db, identity } = deps;
  registerCall(app, identity, 'readReview', {
    ...theirs,
    handle: ({ params }) => readReview(db, params.orgid),
  });
  registerCall(app, identity, 'readOffsettersToReview', {
    ...theirs,
    handle: async ({ params, query }) => {
      const found = await readOffsettersToReview(db, params.orgid, query);
      return found instanceof Failure ? found : new ListPart(found.offsetters, found.nextCursor);
    },
  });
  registerCall(app, identity, 'setOffsetterStatus', {
    ...theirs,
    handle: ({ params, body }) =>
      setOffsetterStatus(deps, { orgId: params.orgid, id: params.offsetterid }, body.status),
  });
}
