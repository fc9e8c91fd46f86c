import type { FastifyInstance } from 'fastify';
import { Failure } from '#domain/failures.ts';
import type { AppDeps } from '#server/deps.ts';
import type { StoryKind } from '#server/entities/present-profile.ts';
import { registerCall } from '#server/http/call-route.ts';
import { editorialStoryRoutes } from './editorial-stories.routes.ts';
import { offsetterRoutes } from './offsetters.routes.ts';
import { isOwnOffsetter } from './offsetters.ts';
import { readNeighbors, readStories, readStory } from './read-stories.ts';

export async function storyRoutes(app: FastifyInstance, deps: AppDeps): Promise<void> {
  for (const kind of ['offsetter', 'awardee', 'installer'] as const) registerPublicRoutes(app, deps, kind);
  await offsetterRoutes(app, deps);
  await editorialStoryRoutes(app, deps);
}

const CALL_NAMES = {
  offsetter: { list: 'readOffsetters', item: 'readOffsetter', neighbors: 'readOffsetterNeighbors' },
  awardee: { list: 'readAwardees', item: 'readAwardee', neighbors: 'readAwardeeNeighbors' },
  installer: { list: 'readInstallers', item: 'readInstaller', neighbors: 'readInstallerNeighbors' },
} as const;

/** Registers the public calls that read one kind of story (§7). */
function registerPublicRoutes(app: FastifyInstance, deps: AppDeps, kind: StoryKind): void {
  const { db } = deps;
  const { list, item: read, neighbors } = CALL_NAMES[kind];
  registerCall(app, deps, list, {
    action: 'stories.read',
    isCached: true,
    handle: ({ params, query }) => readStories(db, kind, params.orgid, query),
  });
  registerCall(app, deps, read, {
    action: 'stories.read',
    isCached: true,
    handle: async ({ actor, params }) => {
      const key = { orgId: params.orgid, id: getStoryId(params) };
      const story = await readStory(db, kind, key.orgId, key.id);
      if (story instanceof Failure || kind !== 'offsetter' || !(await isOwnOffsetter(db, key, actor))) return story;
      return { ...story, mine: true };
    },
  });
  registerCall(app, deps, neighbors, {
    action: 'stories.read',
    isCached: true,
    handle: ({ params }) => readNeighbors(db, kind, params.orgid, getStoryId(params)),
  });
}

type StoryParams = { readonly offsetterid: string } | { readonly awardeeid: string } | { readonly installerid: string };

function getStoryId(params: StoryParams): string {
  if ('offsetterid' in params) return params.offsetterid;
  return 'awardeeid' in params ? params.awardeeid : params.installerid;
}
