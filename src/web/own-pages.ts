import { guarded } from './guard.tsx';
import { orgPage, type Page, sitePage } from './screens.ts';

const coming = async () => (await import('./pages/coming-page.tsx')).ComingPage;
const nothing = () => ({});

/** The pages that are each person's own, and those of signing in, in the order of §2. No visitor's page needs this table. */
export const OWN_PAGES: readonly Page[] = [
  guarded('session.read', sitePage('user-home-page', coming, nothing)),
  guarded('users.manage', sitePage('users-page', coming, nothing)),
  guarded('session.read', orgPage('edit-offsetter-page', coming, nothing)),
  guarded('org.edit', orgPage('org-page', coming, nothing)),
  guarded('cells.edit', orgPage('pages-editor-page', coming, nothing)),
  guarded('checkouts.manage', orgPage('checkouts-page', coming, nothing)),
  guarded('editors.manage', orgPage('editors-page', coming, nothing)),
  guarded('admin.visit', sitePage('admin-page', coming, nothing)),
  guarded('admin.visit', sitePage('test-page', coming, nothing)),
];
