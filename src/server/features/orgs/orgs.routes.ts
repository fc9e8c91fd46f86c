import type { FastifyInstance } from 'fastify';
import { type OrgEdit, orgCalls } from '#contract/schemas/orgs.ts';
import type { Database } from '#server/db/connection.ts';
import type { AppDeps } from '#server/deps.ts';
import { findOrgRowBySlug, type OrgRow } from '#server/entities/find-org.ts';
import { readOrgFigures } from '#server/features/ledger/org-stats.ts';
import { withLimitedForms } from '#server/features/rate-limits/limited-forms.ts';
import { requirePermission, requireSignedIn } from '#server/http/actor.ts';
import { registerCall } from '#server/http/call-route.ts';
import { createListPage, ListPage } from '#server/http/list-page.ts';
import { readPhotoForm } from '#server/http/photo-form.ts';
import { chooseFactors } from './choose-factors.ts';
import { createOrg } from './create-org.ts';
import { editOrg } from './edit-org.ts';
import { dismissFirstSteps, readFirstSteps } from './first-steps.ts';
import { listFactorSets, listOrgs } from './orgs.store.ts';
import { presentOrg, readOrgSettings } from './read-org.ts';
import { removeHeader, replaceHeader } from './replace-header.ts';

export async function orgRoutes(app: FastifyInstance, deps: AppDeps): Promise<void> {
  registerPublicCalls(app, deps);
  const { log } = app;
  registerCall(app, deps, 'createOrg', {
    action: 'org.create',
    // Creating an organization also adds an editor.
    requirement: 'recent-confirmation',
    handle: ({ actor, body }) => createOrg({ ...deps, log }, body, requireSignedIn(actor).userId),
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
      return editOrg({ ...deps, log }, { orgId: params.orgid, actor: requireSignedIn(actor), edit: body });
    },
  });
  registerCall(app, deps, 'readFirstSteps', {
    action: 'area.visit',
    handle: ({ org }) => readFirstSteps(deps.db, org.row),
  });
  registerCall(app, deps, 'dismissFirstSteps', {
    action: 'org.edit',
    handle: ({ params, body }) => dismissFirstSteps(deps.db, params.orgid, body),
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

function registerPublicCalls(app: FastifyInstance, deps: AppDeps): void {
  const { db } = deps;
  registerCall(app, deps, 'readOrgs', {
    action: 'org.read',
    handle: async ({ query }) => {
      if (query.slug === undefined) {
        const rows = await listOrgs(db, { ...query, max: query.max + 1 });
        const { items, nextCursor } = createListPage(rows, query.max, (row) => row);
        return new ListPage(await presentOrgsWithFigures(db, items), nextCursor);
      }
      const org = await findOrgRowBySlug(db, query.slug);
      return presentOrgsWithFigures(db, org ? [org] : []);
    },
  });
  registerCall(app, deps, 'readOrg', {
    action: 'org.read',
    isCached: true,
    handle: async ({ org }) => presentOrg(org.row, await readOrgFigures(db, org.id)),
  });
  registerCall(app, deps, 'readFactors', {
    action: 'org.read',
    isCached: true,
    handle: async ({ org }) => [...(await listFactorSets(db, org.id))],
  });
}

/** An admin who isn't an editor may change only the slug (§6). */
function changesOnlySlug(edit: OrgEdit): boolean {
  return Object.entries(edit).every(([name, value]) => name === 'slug' || value === undefined);
}

function presentOrgsWithFigures(db: Database, rows: readonly OrgRow[]) {
  return Promise.all(rows.map(async (row) => presentOrg(row, await readOrgFigures(db, row.id))));
}
