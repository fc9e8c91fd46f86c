import type { FastifyInstance } from 'fastify';
import { offsetterFields } from '#contract/schemas/offsetters.ts';
import type { AppDeps } from '#server/deps.ts';
import { registerCall } from '#server/http/call-route.ts';
import { readPhotoForm, withPhotoForms } from '#server/http/photo-form.ts';
import { deleteOffsetter } from './delete-offsetter.ts';
import { editOffsetter } from './edit-offsetter.ts';
import { type OffsetterKey, offsetterSubject, readMyOffsetter, readOffsetterToEdit } from './own-offsetter.ts';

type Params = { orgid: string; offsetterid: string };

/** What owners and admins do with offsetters (§6). */
export async function offsetterRoutes(app: FastifyInstance, deps: AppDeps): Promise<void> {
  const { db } = deps;
  const theirs = {
    action: 'offsetter.edit',
    subject: (params: Params) => offsetterSubject(db, keyOf(params)),
  } as const;

  registerCall(app, deps, 'readMyOffsetter', {
    action: 'my-offsetter.read',
    handle: ({ actor, params }) => readMyOffsetter(db, params.orgid, actor),
  });
  registerCall(app, deps, 'readOffsetterToEdit', {
    ...theirs,
    handle: ({ actor, params }) => readOffsetterToEdit(db, keyOf(params), actor),
  });
  await withPhotoForms(app, (forms) => {
    registerCall(forms, deps, 'editOffsetter', {
      ...theirs,
      handle: async ({ actor, org, params, request }) =>
        editOffsetter(deps, { org, id: params.offsetterid }, await readPhotoForm(request, offsetterFields), actor),
    });
  });
  registerCall(app, deps, 'deleteOffsetter', {
    action: 'offsetter.delete',
    handle: ({ params }) => deleteOffsetter(deps, keyOf(params)),
  });
}

function keyOf({ orgid, offsetterid }: Params): OffsetterKey {
  return { orgId: orgid, id: offsetterid };
}
