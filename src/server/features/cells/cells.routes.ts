import type { FastifyInstance } from 'fastify';
import { cellCalls } from '#contract/schemas/cells.ts';
import { Failure } from '#domain/failures.ts';
import type { AppDeps } from '#server/deps.ts';
import { signedIn } from '#server/http/actor.ts';
import { registerCall } from '#server/http/call-route.ts';
import { readPhotoForm, withPhotoForms } from '#server/http/photo-form.ts';
import { addPicture } from './add-picture.ts';
import { previewCell } from './preview-cell.ts';
import { readCells } from './read-cells.ts';
import { readVersions } from './read-versions.ts';
import { resetCell, saveCell } from './save-cell.ts';

export async function cellRoutes(app: FastifyInstance, deps: AppDeps): Promise<void> {
  const { db, identity } = deps;
  registerCall(app, identity, 'readCells', {
    action: 'cells.read',
    subject: ({ orgid }) => ({ orgId: orgid }),
    handle: ({ params, query }) => readCells(db, params.orgid, query),
  });
  registerCall(app, identity, 'readCell', {
    action: 'cells.read',
    subject: ({ orgid }) => ({ orgId: orgid }),
    handle: async ({ params: { orgid, page, name } }) => {
      const cells = await readCells(db, orgid, { page, name });
      if (cells instanceof Failure) return cells;
      return cells[0] ?? new Failure('no-cell');
    },
  });
  await editingRoutes(app, deps);
}

/** What editors do with texts (§6). */
async function editingRoutes(app: FastifyInstance, deps: AppDeps): Promise<void> {
  const { db, identity } = deps;
  const edited = { action: 'cells.edit', subject: ({ orgid }: { orgid: string }) => ({ orgId: orgid }) } as const;

  registerCall(app, identity, 'saveCell', {
    ...edited,
    handle: ({ actor, params: { orgid: orgId, page, name }, body }) =>
      saveCell(deps, { orgId, key: { page, name }, userId: signedIn(actor).userId }, body),
  });
  registerCall(app, identity, 'resetCell', {
    ...edited,
    handle: ({ actor, params: { orgid: orgId, page, name } }) =>
      resetCell(deps, { orgId, key: { page, name }, userId: signedIn(actor).userId }),
  });
  registerCall(app, identity, 'readCellVersions', {
    ...edited,
    handle: ({ params: { orgid, page, name }, query }) => readVersions(db, orgid, { page, name }, query),
  });
  registerCall(app, identity, 'previewCell', {
    ...edited,
    handle: async ({ params: { page, name }, body }) => previewCell({ page, name }, body.markdown),
  });
  await withPhotoForms(app, (forms) => {
    registerCall(forms, identity, 'addPicture', {
      ...edited,
      handle: async ({ params, request }) => {
        const { photo } = await readPhotoForm(request, cellCalls.addPicture.form);
        return addPicture(deps, params.orgid, photo);
      },
    });
  });
}
