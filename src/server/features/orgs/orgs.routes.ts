import type { FastifyInstance } from 'fastify';
import { type OrgEdit, orgCalls } from '#contract/schemas/orgs.ts';
import type { Database } from '#server/db/connection.ts';
import type { AppDeps } from '#server/deps.ts';
import { type OrgRow, orgBySlug } from '#server/entities/find-org.ts';
import { orgFigures } from '#server/features/ledger/org-stats.ts';
import { withLimitedForms } from '#server/features/rate-limits/limited-forms.ts';
import { requireBearer, requirePermission } from '#server/http/actor.ts';
import { registerCall } from '#server/http/call-route.ts';
import { ListPage, listPage } from '#server/http/list-page.ts';
import { readPhotoForm } from '#server/http/photo-form.ts';
import { chooseFactors } from './choose-factors.ts';
import { createOrg } from './create-org.ts';
import { editOrg } from './edit-org.ts';
import { dismissFirstStep, readFirstSteps } from './first-steps.ts';
import { factorSetsOf, orgsPage } from './orgs.store.ts';
import { presentOrg, readOrgSettings } from './read-org.ts';
import { removeHeader, replaceHeader } from './replace-header.ts';

export async function orgRoutes(app: FastifyInstance, deps: AppDeps): Promise<void> {
  publicCalls(app, deps);
  const { log } = app;
  registerCall(app, deps, 'createOrg', {
    action: 'org.create',
    // Creating an organization also adds an editor.
    requirement: 'recent-confirmation',
    handle: ({ actor, body }) => createOrg({ ...deps, log }, body, requireBearer(actor).userId),
  });
  registerCall(app, deps, 'readOrgSettings', {
    action: 'org.edit',
    handle: ({ org }) => readOrgSettings(deps.db, org),
  });
  registerCall(app, deps, 'editOrg', {
    action: 'org.change',
    // An unchanged setting doesn't need a confirmation (decisions §6).
    requirement: ({ org, body: { editorsNeedSecondFactor: setting } }) =>
      setting !== undefined && setting !== org.row.editors_need_second_factor ? 'recent-confirmation' : undefined,
    handle: async ({ actor, params, body }) => {
      if (!changesOnlySlug(body)) requirePermission(actor, 'org.edit', { orgId: params.orgid });
      return editOrg({ ...deps, log }, { orgId: params.orgid, actor: requireBearer(actor), edit: body });
    },
  });
  registerCall(app, deps, 'readFirstSteps', {
    action: 'area.visit',
    handle: ({ org }) => readFirstSteps(deps.db, org.row),
  });
  registerCall(app, deps, 'dismissFirstStep', {
    action: 'org.edit',
    handle: ({ params, body }) => dismissFirstStep(deps.db, params.orgid, body),
  });
  registerCall(app, deps, 'chooseFactors', {
    action: 'org.edit',
    handle: ({ params, body }) => chooseFactors(deps, params.orgid, body),
  });
  registerCall(app, deps, 'removeHeader', {
    action: 'org.edit',
    handle: ({ params }) => removeHeader(deps, params.orgid),
  });
  await withLimitedForms(app, deps, (forms) => {
    registerCall(forms, deps, 'replaceHeader', {
      action: 'org.edit',
      handle: async ({ params, request }) =>
        replaceHeader(deps, params.orgid, (await readPhotoForm(request, orgCalls.replaceHeader.form)).photo),
    });
  });
}

function publicCalls(app: FastifyInstance, deps: AppDeps): void {
  const { db } = deps;
  registerCall(app, deps, 'readOrgs', {
    action: 'org.read',
    handle: async ({ query }) => {
      if (query.slug === undefined) {
        const rows = await orgsPage(db, { ...query, max: query.max + 1 });
        const { items, nextCursor } = listPage(rows, query.max, (row) => row);
        return new ListPage(await presentWithFigures(db, items), nextCursor);
      }
      const org = await orgBySlug(db, query.slug);
      return presentWithFigures(db, org ? [org] : []);
    },
  });
  registerCall(app, deps, 'readOrg', {
    action: 'org.read',
    isCached: true,
    handle: async ({ org }) => presentOrg(org.row, await orgFigures(db, org.id)),
  });
  registerCall(app, deps, 'readFactors', {
    action: 'org.read',
    isCached: true,
    handle: async ({ org }) => [...(await factorSetsOf(db, org.id))],
  });
}

/** An admin who isn't an editor may change only the slug (§6). */
function changesOnlySlug(edit: OrgEdit): boolean {
  return Object.entries(edit).every(([name, value]) => name === 'slug' || value === undefined);
}

function presentWithFigures(db: Database, rows: readonly OrgRow[]) {
  return Promise.all(rows.map(async (row) => presentOrg(row, await orgFigures(db, row.id))));
}
