import type { FastifyInstance } from 'fastify';
import { offsetterFields } from '#contract/schemas/offsetters.ts';
import type { AppDeps } from '#server/deps.ts';
import { withLimitedForms } from '#server/features/rate-limits/limited-forms.ts';
import { registerCall } from '#server/http/call-route.ts';
import { readPhotoForm } from '#server/http/photo-form.ts';
import { findClaimSubject, resolveClaim } from './claim-story.ts';
import { deleteOffsetter, editOffsetter } from './edit-offsetter.ts';
import { findOffsetterSubject, type OffsetterKey, readMyOffsetter, readOffsetterToEdit } from './offsetters.ts';
import { readOffsettersToReview, readReview, setOffsetterStatus } from './review-offsetters.ts';

type Params = { orgid: string; offsetterid: string };

export async function offsetterRoutes(app: FastifyInstance, deps: AppDeps): Promise<void> {
  const { db } = deps;
  const ownersOnly = {
    action: 'offsetter.edit',
    subject: (params: Params) => findOffsetterSubject(db, toOffsetterKey(params)),
  } as const;

  registerCall(app, deps, 'readMyOffsetter', {
    action: 'my-offsetter.read',
    handle: ({ actor, params }) => readMyOffsetter(db, params.orgid, actor),
  });
  registerCall(app, deps, 'readOffsetterToEdit', {
    ...ownersOnly,
    handle: ({ actor, params }) => readOffsetterToEdit(db, toOffsetterKey(params), actor),
  });
  await withLimitedForms(app, deps, (forms) => {
    registerCall(forms, deps, 'editOffsetter', {
      ...ownersOnly,
      handle: async ({ actor, org, params, request, language }) =>
        editOffsetter(deps, { org, id: params.offsetterid }, await readPhotoForm(request, offsetterFields), {
          actor,
          language,
        }),
    });
  });
  registerCall(app, deps, 'claimOffsetter', {
    action: 'offsetter.claim',
    subject: (params) => findClaimSubject(db, toOffsetterKey(params)),
    handle: ({ params, body, request }) =>
      resolveClaim(deps, toOffsetterKey(params), { isAccepted: body.mine, client: request.ip }),
  });
  registerCall(app, deps, 'deleteOffsetter', {
    action: 'offsetter.delete',
    handle: ({ params }) => deleteOffsetter(deps, toOffsetterKey(params)),
  });

  registerCall(app, deps, 'readReview', { action: 'stories.edit', handle: ({ org }) => readReview(db, org) });
  registerCall(app, deps, 'readOffsettersToReview', {
    action: 'stories.edit',
    handle: ({ params, query }) => readOffsettersToReview(db, params.orgid, query),
  });
  registerCall(app, deps, 'setOffsetterStatus', {
    action: 'stories.edit',
    handle: ({ params, body }) => setOffsetterStatus(deps, toOffsetterKey(params), body.status),
  });
}

function toOffsetterKey({ orgid: orgId, offsetterid: offsetterId }: Params): OffsetterKey {
  return { orgId, id: offsetterId };
}
