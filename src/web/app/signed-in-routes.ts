import { ALL_ACTIVITY_PAGES } from '#web/routes/admin/activity/route.ts';
import { ADMIN_PAGES } from '#web/routes/admin/orgs/route.ts';
import { TEST_PAGES } from '#web/routes/admin/test/route.ts';
import { USERS_PAGES } from '#web/routes/admin/users/route.ts';
import { ACTIVITY_PAGES } from '#web/routes/editor/activity/route.ts';
import { BOOKS_PAGES } from '#web/routes/editor/books/route.ts';
import { CELLS_PAGES } from '#web/routes/editor/cells/route.ts';
import { CHECKOUTS_PAGES } from '#web/routes/editor/checkouts/route.ts';
import { DONORS_PAGES } from '#web/routes/editor/donors/route.ts';
import { EDITORS_PAGES } from '#web/routes/editor/editors/route.ts';
import { GRANTS_PAGES } from '#web/routes/editor/grants/route.ts';
import { ORG_PAGES } from '#web/routes/editor/org/route.ts';
import { OVERVIEW_PAGES } from '#web/routes/editor/overview/route.ts';
import { SHARE_PAGES } from '#web/routes/editor/share/route.ts';
import { EDIT_STORY_PAGES } from '#web/routes/editor/stories/route.ts';
import { MY_PAGES } from '#web/routes/me/route.ts';
import { SIGN_IN_PAGES } from '#web/routes/sign-in/route.ts';
import type { PageRoute } from '#web/site/page.ts';
import { withGuard } from './guard.tsx';
import { withQueries } from './with-queries.tsx';

/** The login pages and the pages for logged-in people. Visitors' browsers don't load this table. */
export const SIGNED_IN_PAGES: readonly PageRoute[] = [
  ...SIGN_IN_PAGES,
  ...MY_PAGES,
  ...OVERVIEW_PAGES,
  ...ORG_PAGES,
  ...CELLS_PAGES,
  ...SHARE_PAGES,
  ...CHECKOUTS_PAGES,
  ...DONORS_PAGES,
  ...BOOKS_PAGES,
  ...GRANTS_PAGES,
  ...EDITORS_PAGES,
  ...ACTIVITY_PAGES,
  ...EDIT_STORY_PAGES,
  ...ADMIN_PAGES,
  ...USERS_PAGES,
  ...ALL_ACTIVITY_PAGES,
  ...TEST_PAGES,
].map((page) => withQueries(withGuard(page)));
