import type { FastifyInstance } from 'fastify';
import { Failure } from '#domain/failures.ts';
import type { AppDeps } from '#server/deps.ts';
import { ListPart, registerCall } from '#server/http/call-route.ts';
import { offsetterRoutes } from './offsetters.routes.ts';
import { isOwnOffsetter } from './own-offsetter.ts';
import { readNeighbours, readStories, readStory } from './read-stories.ts';
import { reviewRoutes } from './review.routes.ts';
import { toldStoryRoutes } from './told-stories.routes.ts';

/** The reads of offsetters, awardees and installers (§7): the same three for each kind. */
export async function storyRoutes(app: FastifyInstance, deps: AppDeps): Promise<void> {
  const { db } = deps;
  await offsetterRoutes(app, deps);
  await reviewRoutes(app, deps);
  await toldStoryRoutes(app, deps);
  const list = { action: 'stories.read' } as const;

  registerCall(app, deps, 'readOffsetters', {
    ...list,
    handle: async ({ params, query }) => part(await readStories(db, 'offsetter', params.orgid, query)),
  });
  registerCall(app, deps, 'readOffsetter', {
    ...list,
    handle: async ({ actor, params }) => {
      const { orgid: orgId, offsetterid: id } = params;
      const story = await readStory(db, 'offsetter', orgId, id);
      if (story instanceof Failure || !(await isOwnOffsetter(db, { orgId, id }, actor))) return story;
      return { ...story, mine: true };
    },
  });
  registerCall(app, deps, 'readOffsetterNeighbours', {
    ...list,
    handle: ({ params }) => readNeighbours(db, 'offsetter', params.orgid, params.offsetterid),
  });

  registerCall(app, deps, 'readAwardees', {
    ...list,
    handle: async ({ params, query }) => part(await readStories(db, 'awardee', params.orgid, query)),
  });
  registerCall(app, deps, 'readAwardee', {
    ...list,
    handle: ({ params }) => readStory(db, 'awardee', params.orgid, params.awardeeid),
  });
  registerCall(app, deps, 'readAwardeeNeighbours', {
    ...list,
    handle: ({ params }) => readNeighbours(db, 'awardee', params.orgid, params.awardeeid),
  });

  registerCall(app, deps, 'readInstallers', {
    ...list,
    handle: async ({ params, query }) => part(await readStories(db, 'installer', params.orgid, query)),
  });
  registerCall(app, deps, 'readInstaller', {
    ...list,
    handle: ({ params }) => readStory(db, 'installer', params.orgid, params.installerid),
  });
  registerCall(app, deps, 'readInstallerNeighbours', {
    ...list,
    handle: ({ params }) => readNeighbours(db, 'installer', params.orgid, params.installerid),
  });
}

function part(found: Awaited<ReturnType<typeof readStories>>) {
  return new ListPart(found.profiles, found.nextCursor);
}
