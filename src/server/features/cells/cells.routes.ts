import type { FastifyInstance } from 'fastify';
import { cellCalls } from '#contract/schemas/cells.ts';
import { MAX_CELL_LENGTH, splitCellName } from '#domain/cells.ts';
import { Failure } from '#domain/failures.ts';
import type { AppDeps } from '#server/deps.ts';
import { withLimitedForms } from '#server/features/rate-limits/limited-forms.ts';
import { requireSignedIn } from '#server/http/actor.ts';
import { registerCall } from '#server/http/call-route.ts';
import { readPhotoForm } from '#server/http/photo-form.ts';
import { addPicture } from './add-picture.ts';
import { readCells, readVersions } from './read-cells.ts';
import { previewCell } from './render-cell.ts';
import { resetCell, saveCell } from './save-cell.ts';

/** Two texts of 30,000 characters, each with at most 6 bytes in JSON. */
const TEXTS_LIMIT = 12 * MAX_CELL_LENGTH;

export async function cellRoutes(app: FastifyInstance, deps: AppDeps): Promise<void> {
  registerCall(app, deps, 'readCells', {
    action: 'cells.read',
    isCached: true,
    handle: async ({ org, query }) => (await readCells(deps, org, query)).slice(0, query.max),
  });
  registerCall(app, deps, 'readCell', {
    action: 'cells.read',
    isCached: true,
    handle: async ({ org, params: { page, name } }) => {
      const [cell] = await readCells(deps, org, { page, ...splitCellName(name) });
      return cell ?? new Failure('no-cell');
    },
  });
  await editingRoutes(app, deps);
}

async function editingRoutes(app: FastifyInstance, deps: AppDeps): Promise<void> {
  const { db } = deps;
  const editAction = { action: 'cells.edit' } as const;

  registerCall(app, deps, 'saveCell', {
    ...editAction,
    bodyLimit: TEXTS_LIMIT,
    handle: ({ actor, params: { orgid: orgId, page, name }, body }) =>
      saveCell(deps, { orgId, key: { page, name }, userId: requireSignedIn(actor).userId }, body),
  });
  registerCall(app, deps, 'resetCell', {
    ...editAction,
    handle: ({ actor, params: { orgid: orgId, page, name } }) =>
      resetCell(deps, { orgId, key: { page, name }, userId: requireSignedIn(actor).userId }),
  });
  registerCall(app, deps, 'readCellVersions', {
    ...editAction,
    handle: ({ params: { orgid: orgId, page, name }, query }) => readVersions(db, orgId, { page, name }, query),
  });
  registerCall(app, deps, 'previewCell', {
    ...editAction,
    bodyLimit: TEXTS_LIMIT,
    handle: ({ actor, params: { page, name }, body: { markdown } }) =>
      previewCell(deps, { key: { page, name }, userId: requireSignedIn(actor).userId, markdown }),
  });
  await withLimitedForms(app, deps, (forms) => {
    registerCall(forms, deps, 'addPicture', {
      ...editAction,
      handle: async ({ request }) => {
        const { photo } = await readPhotoForm(request, cellCalls.addPicture.form);
        return addPicture(deps, photo);
      },
    });
  });
}
