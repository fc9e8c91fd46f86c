import type { FastifyInstance } from 'fastify';
import { TOLD_FORMS } from '#contract/schemas/told-stories.ts';
import { Failure } from '#domain/failures.ts';
import type { AppDeps } from '#server/deps.ts';
import { signedIn } from '#server/http/actor.ts';
import { ListPart, registerCall } from '#server/http/call-route.ts';
import { readPhotoForm, withPhotoForms } from '#server/http/photo-form.ts';
import { readToldStories, readToldStory, type ToldPart } from './read-told-stories.ts';
import { createToldStory, editToldStory } from './save-told-story.ts';
import { deleteToldStory, setToldStatus } from './set-told-status.ts';
import type { ToldKey } from './told-stories.store.ts';

type InOrg = { readonly orgid: string };

const theirs = { action: 'stories.edit', subject: ({ orgid }: InOrg) => ({ orgId: orgid }) } as const;

/** What editors do with the awardees and the installers of their organisation (decisions §5): the same for each kind. */
export async function toldStoryRoutes(app: FastifyInstance, deps: AppDeps): Promise<void> {
  await awardeeRoutes(app, deps);
  await installerRoutes(app, deps);
}

async function awardeeRoutes(app: FastifyInstance, deps: AppDeps): Promise<void> {
  const { db, identity } = deps;
  const keyOf = ({ orgid, awardeeid }: InOrg & { readonly awardeeid: string }): ToldKey => ({
    kind: 'awardee',
    orgId: orgid,
    id: awardeeid,
  });
  registerCall(app, identity, 'readAwardeesToEdit', {
    ...theirs,
    handle: async ({ params, query }) => part(await readToldStories(db, 'awardee', params.orgid, query)),
  });
  registerCall(app, identity, 'readAwardeeToEdit', {
    ...theirs,
    handle: ({ params }) => readToldStory(db, keyOf(params)),
  });
  registerCall(app, identity, 'setAwardeeStatus', {
    ...theirs,
    handle: ({ params, body }) => setToldStatus(deps, keyOf(params), body.status),
  });
  registerCall(app, identity, 'deleteAwardee', {
    ...theirs,
    handle: ({ params }) => deleteToldStory(deps, keyOf(params)),
  });
  await withPhotoForms(app, (forms) => {
    registerCall(forms, identity, 'createAwardee', {
      ...theirs,
      handle: async ({ actor, params, request }) => {
        const form = await readPhotoForm(request, TOLD_FORMS.awardee);
        return createToldStory(deps, { kind: 'awardee', orgId: params.orgid }, form, signedIn(actor).userId);
      },
    });
    registerCall(forms, identity, 'editAwardee', {
      ...theirs,
      handle: async ({ actor, params, request }) => {
        const form = await readPhotoForm(request, TOLD_FORMS.awardee);
        return editToldStory(deps, keyOf(params), form, signedIn(actor).userId);
      },
    });
  });
}

async function installerRoutes(app: FastifyInstance, deps: AppDeps): Promise<void> {
  const { db, identity } = deps;
  const keyOf = ({ orgid, installerid }: InOrg & { readonly installerid: string }): ToldKey => ({
    kind: 'installer',
    orgId: orgid,
    id: installerid,
  });
  registerCall(app, identity, 'readInstallersToEdit', {
    ...theirs,
    handle: async ({ params, query }) => part(await readToldStories(db, 'installer', params.orgid, query)),
  });
  registerCall(app, identity, 'readInstallerToEdit', {
    ...theirs,
    handle: ({ params }) => readToldStory(db, keyOf(params)),
  });
  registerCall(app, identity, 'setInstallerStatus', {
    ...theirs,
    handle: ({ params, body }) => setToldStatus(deps, keyOf(params), body.status),
  });
  registerCall(app, identity, 'deleteInstaller', {
    ...theirs,
    handle: ({ params }) => deleteToldStory(deps, keyOf(params)),
  });
  await withPhotoForms(app, (forms) => {
    registerCall(forms, identity, 'createInstaller', {
      ...theirs,
      handle: async ({ actor, params, request }) => {
        const form = await readPhotoForm(request, TOLD_FORMS.installer);
        return createToldStory(deps, { kind: 'installer', orgId: params.orgid }, form, signedIn(actor).userId);
      },
    });
    registerCall(forms, identity, 'editInstaller', {
      ...theirs,
      handle: async ({ actor, params, request }) => {
        const form = await readPhotoForm(request, TOLD_FORMS.installer);
        return editToldStory(deps, keyOf(params), form, signedIn(actor).userId);
      },
    });
  });
}

function part(found: ToldPart | Failure) {
  return found instanceof Failure ? found : new ListPart(found.stories, found.nextCursor);
}
