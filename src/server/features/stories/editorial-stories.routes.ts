import type { FastifyInstance } from 'fastify';
import { EDITORIAL_FORMS } from '#contract/schemas/editorial-stories.ts';
import type { EditorialKind } from '#domain/story-publication.ts';
import type { AppDeps } from '#server/deps.ts';
import { withLimitedForms } from '#server/features/rate-limits/limited-forms.ts';
import { requireSignedIn } from '#server/http/actor.ts';
import { registerCall } from '#server/http/call-route.ts';
import { readPhotoForm } from '#server/http/photo-form.ts';
import type { EditorialKey } from './editorial-stories.store.ts';
import {
  deleteEditorialStory,
  readEditorialStories,
  readEditorialStory,
  setEditorialStatus,
} from './editorial-stories.ts';
import { createEditorialStory, editEditorialStory } from './save-editorial-story.ts';

export async function editorialStoryRoutes(app: FastifyInstance, deps: AppDeps): Promise<void> {
  for (const kind of ['awardee', 'installer'] as const) await registerKind(kind, app, deps);
}

const CALL_NAMES = {
  awardee: {
    list: 'readAwardeesToEdit',
    read: 'readAwardeeToEdit',
    create: 'createAwardee',
    edit: 'editAwardee',
    setStatus: 'setAwardeeStatus',
    remove: 'deleteAwardee',
  },
  installer: {
    list: 'readInstallersToEdit',
    read: 'readInstallerToEdit',
    create: 'createInstaller',
    edit: 'editInstaller',
    setStatus: 'setInstallerStatus',
    remove: 'deleteInstaller',
  },
} as const;

type Params = { readonly orgid: string } & ({ readonly awardeeid: string } | { readonly installerid: string });

async function registerKind(kind: EditorialKind, app: FastifyInstance, deps: AppDeps): Promise<void> {
  const { db } = deps;
  const names = CALL_NAMES[kind];
  const editorsOnly = { action: 'stories.edit' } as const;
  const storyKey = (params: Params): EditorialKey => ({
    kind,
    orgId: params.orgid,
    id: 'awardeeid' in params ? params.awardeeid : params.installerid,
  });

  registerCall(app, deps, names.list, {
    ...editorsOnly,
    handle: ({ params, query }) => readEditorialStories(db, kind, params.orgid, query),
  });
  registerCall(app, deps, names.read, {
    ...editorsOnly,
    handle: ({ params }) => readEditorialStory(db, storyKey(params)),
  });
  registerCall(app, deps, names.setStatus, {
    ...editorsOnly,
    handle: ({ params, body }) => setEditorialStatus(deps, storyKey(params), body.status),
  });
  registerCall(app, deps, names.remove, {
    ...editorsOnly,
    handle: ({ params }) => deleteEditorialStory(deps, storyKey(params)),
  });
  await withLimitedForms(app, deps, (forms) => {
    registerCall(forms, deps, names.create, {
      ...editorsOnly,
      handle: async ({ actor, params, request }) => {
        const form = await readPhotoForm(request, EDITORIAL_FORMS[kind]);
        return createEditorialStory(deps, { kind, orgId: params.orgid }, form, requireSignedIn(actor).userId);
      },
    });
    registerCall(forms, deps, names.edit, {
      ...editorsOnly,
      handle: async ({ actor, params, request }) => {
        const form = await readPhotoForm(request, EDITORIAL_FORMS[kind]);
        return editEditorialStory(deps, storyKey(params), form, requireSignedIn(actor).userId);
      },
    });
  });
}
