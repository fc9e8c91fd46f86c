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
  const { db, identity } = deps;
  const theirs = {
    action: 'offsetter.edit',
    subject: (params: Params) => offsetterSubject(db, keyOf(params)),
  } as const;

  registerCall(app, identity, 'readMyOffsetter', {
    action: 'my-offsetter.read',
    subject: ({ orgid }) => ({ orgId: orgid }),
    handle: ({ actor, params }) => readMyOffsetter(db, params.orgid, actor),
  });
  registerCall(app, identity, 'readOffsetterToEdit', {
    ...theirs,
    handle: ({ actor, params }) => readOffsetterToEdit(db, keyOf(params), actor),
  });
  await withPhotoForms(app, (forms) => {
    registerCall(forms, identity, 'editOffsetter', {
      ...theirs,
      handle: async ({ actor, params, request }) =>
        editOffsetter(deps, keyOf(params), await readPhotoForm(request, offsetterFields), actor),
    });
  });
  registerCall(app, identity, 'deleteOffsetter', {
    action: 'offsetter.delete',
    subject: ({ orgid }) => ({ orgId: orgid }),
    handle: ({ params }) => deleteOffsetter(deps, keyOf(params)),
  });
}

function keyOf({ orgid, offsetterid }: Params): OffsetterKey {
  return { orgId: orgid, id: offsetterid };
}
