import type { FastifyInstance } from 'fastify';
import { TOLD_FORMS } from '#contract/schemas/told-stories.ts';
import type { AppDeps } from '#server/deps.ts';
import { signedIn } from '#server/http/actor.ts';
import { ListPart, registerCall } from '#server/http/call-route.ts';
import { readPhotoForm, withPhotoForms } from '#server/http/photo-form.ts';
import { readToldStories, readToldStory, type ToldPart } from './read-told-stories.ts';
import { createToldStory, editToldStory } from './save-told-story.ts';
import { deleteToldStory, setToldStatus } from './set-told-status.ts';
import type { ToldKey } from './told-stories.store.ts';

type InOrg = { readonly orgid: string };

const theirs = { action: 'stories.edit' } as const;

/** What editors do with the awardees and the installers of their organisation (decisions §5): the same for each kind. */
export async function toldStoryRoutes(app: FastifyInstance, deps: AppDeps): Promise<void> {
  await awardeeRoutes(app, deps);
  await installerRoutes(app, deps);
}

async function awardeeRoutes(app: FastifyInstance, deps: AppDeps): Promise<void> {
  const { db } = deps;
  const keyOf = ({ orgid, awardeeid }: InOrg & { readonly awardeeid: string }): ToldKey => ({
    kind: 'awardee',
    orgId: orgid,
    id: awardeeid,
  });
  registerCall(app, deps, 'readAwardeesToEdit', {
    ...theirs,
    handle: async ({ params, query }) => part(await readToldStories(db, 'awardee', params.orgid, query)),
  });
  registerCall(app, deps, 'readAwardeeToEdit', {
    ...theirs,
    handle: ({ params }) => readToldStory(db, keyOf(params)),
  });
  registerCall(app, deps, 'setAwardeeStatus', {
    ...theirs,
    handle: ({ params, body }) => setToldStatus(deps, keyOf(params), body.status),
  });
  registerCall(app, deps, 'deleteAwardee', {
    ...theirs,
    handle: ({ params }) => deleteToldStory(deps, keyOf(params)),
  });
  await withPhotoForms(app, (forms) => {
    registerCall(forms, deps, 'createAwardee', {
      ...theirs,
      handle: async ({ actor, params, request }) => {
        const form = await readPhotoForm(request, TOLD_FORMS.awardee);
        return createToldStory(deps, { kind: 'awardee', orgId: params.orgid }, form, signedIn(actor).userId);
      },
    });
    registerCall(forms, deps, 'editAwardee', {
      ...theirs,
      handle: async ({ actor, params, request }) => {
        const form = await readPhotoForm(request, TOLD_FORMS.awardee);
        return editToldStory(deps, keyOf(params), form, signedIn(actor).userId);
      },
    });
  });
}

async function installerRoutes(app: FastifyInstance, deps: AppDeps): Promise<void> {
  const { db } = deps;
  const keyOf = ({ orgid, installerid }: InOrg & { readonly installerid: string }): ToldKey => ({
    kind: 'installer',
    orgId: orgid,
    id: installerid,
  });
  registerCall(app, deps, 'readInstallersToEdit', {
    ...theirs,
    handle: async ({ params, query }) => part(await readToldStories(db, 'installer', params.orgid, query)),
  });
  registerCall(app, deps, 'readInstallerToEdit', {
    ...theirs,
    handle: ({ params }) => readToldStory(db, keyOf(params)),
  });
  registerCall(app, deps, 'setInstallerStatus', {
    ...theirs,
    handle: ({ params, body }) => setToldStatus(deps, keyOf(params), body.status),
  });
  registerCall(app, deps, 'deleteInstaller', {
    ...theirs,
    handle: ({ params }) => deleteToldStory(deps, keyOf(params)),
  });
  await withPhotoForms(app, (forms) => {
    registerCall(forms, deps, 'createInstaller', {
      ...theirs,
      handle: async ({ actor, params, request }) => {
        const form = await readPhotoForm(request, TOLD_FORMS.installer);
        return createToldStory(deps, { kind: 'installer', orgId: params.orgid }, form, signedIn(actor).userId);
      },
    });
    registerCall(forms, deps, 'editInstaller', {
      ...theirs,
      handle: async ({ actor, params, request }) => {
        const form = await readPhotoForm(request, TOLD_FORMS.installer);
        return editToldStory(deps, keyOf(params), form, signedIn(actor).userId);
      },
    });
  });
}

function part(found: ToldPart) {
  return new ListPart(found.stories, found.nextCursor);
}
