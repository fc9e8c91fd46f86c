import { guarded } from './guard.tsx';
import { loadOrgSettings, loadOrgs } from './org-data.ts';
import { loadEditors, loadOffsetterToEdit, loadPeople, loadUserHome } from './people-data.ts';
import { orgPage, type Page } from './screens.ts';
import { SIGN_IN_PAGES } from './sign-in-pages.ts';
import { sitePage } from './site-page.ts';
import { loadReview, loadToldList, loadToldStory } from './story-editing-data.ts';
import { loadTexts } from './texts-data.ts';
import { loadCheckouts, loadOverview } from './treasury-data.ts';

/** The pages of signing in, and those that are each person's own, in the order of §2. No visitor's page needs this table. */
export const OWN_PAGES: readonly Page[] = [
  ...SIGN_IN_PAGES,
  guarded(
    'session.read',
    sitePage(
      'user-home-page',
      async () => (await import('./pages/user-home-page.tsx')).UserHomePage,
      ({ api, session }) => loadUserHome(api, session.now().uid),
    ),
  ),
  guarded(
    'users.manage',
    sitePage(
      'users-page',
      async () => (await import('./pages/users-page.tsx')).UsersPage,
      async ({ api }) => ({ people: await loadPeople(api, '') }),
    ),
  ),
  guarded(
    'session.read',
    orgPage(
      'edit-offsetter-page',
      async () => (await import('./pages/edit-offsetter-page.tsx')).EditOffsetterPage,
      ({ api, params }) => loadOffsetterToEdit(api, params),
    ),
  ),
  guarded(
    'org.edit',
    orgPage(
      'overview-page',
      async () => (await import('./pages/overview-page.tsx')).OverviewPage,
      ({ api, params, search }) => loadOverview(api, params.orgid, search),
    ),
  ),
  guarded(
    'org.edit',
    orgPage(
      'org-page',
      async () => (await import('./pages/org-page.tsx')).OrgPage,
      ({ api, params }) => loadOrgSettings(api, params.orgid),
    ),
  ),
  guarded(
    'cells.edit',
    orgPage(
      'pages-editor-page',
      async () => (await import('./pages/pages-editor-page.tsx')).PagesEditorPage,
      ({ api, params }) => loadTexts(api, params.orgid),
    ),
  ),
  guarded(
    'checkouts.manage',
    orgPage(
      'checkouts-page',
      async () => (await import('./pages/checkouts-page.tsx')).CheckoutsPage,
      ({ api, params, search }) => loadCheckouts(api, params.orgid, search),
    ),
  ),
  guarded(
    'editors.manage',
    orgPage(
      'editors-page',
      async () => (await import('./pages/editors-page.tsx')).EditorsPage,
      ({ api, params }) => loadEditors(api, params.orgid),
    ),
  ),
  guarded(
    'stories.edit',
    orgPage(
      'review-page',
      async () => (await import('./pages/review-page.tsx')).ReviewPage,
      ({ api, params }) => loadReview(api, params.orgid),
    ),
  ),
  guarded(
    'stories.edit',
    orgPage(
      'edit-awardees-page',
      async () => (await import('./pages/edit-awardees-page.tsx')).EditAwardeesPage,
      ({ api, params }) => loadToldList(api, 'awardee', params.orgid),
    ),
  ),
  guarded(
    'stories.edit',
    orgPage(
      'edit-awardee-page',
      async () => (await import('./pages/edit-awardee-page.tsx')).EditAwardeePage,
      ({ api, params }) => loadToldStory(api, 'awardee', params.orgid, params.awardeeid),
    ),
  ),
  guarded(
    'stories.edit',
    orgPage(
      'edit-installers-page',
      async () => (await import('./pages/edit-installers-page.tsx')).EditInstallersPage,
      ({ api, params }) => loadToldList(api, 'installer', params.orgid),
    ),
  ),
  guarded(
    'stories.edit',
    orgPage(
      'edit-installer-page',
      async () => (await import('./pages/edit-installer-page.tsx')).EditInstallerPage,
      ({ api, params }) => loadToldStory(api, 'installer', params.orgid, params.installerid),
    ),
  ),
  guarded(
    'admin.visit',
    sitePage(
      'admin-page',
      async () => (await import('./pages/admin-page.tsx')).AdminPage,
      async ({ api }) => ({ orgs: await loadOrgs(api) }),
    ),
  ),
  guarded(
    'admin.visit',
    sitePage(
      'test-page',
      async () => (await import('./pages/test-page.tsx')).TestPage,
      () => ({}),
    ),
  ),
];
