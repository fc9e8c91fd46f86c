import { pagePath } from '#contract/pages.ts';
import { PROGRAM_NAME } from '#domain/program-name.ts';
import { CreateOrgDialog } from '../features/orgs/create-org-dialog.tsx';
import { CreatedDialog } from '../features/orgs/created-dialog.tsx';
import { OrgList } from '../features/orgs/org-list.tsx';
import { SlugDialog } from '../features/orgs/slug-dialog.tsx';
import type { AdminData } from '../org-data.ts';
import type { SiteFrameData } from '../page-data.ts';
import { Button, ButtonLink } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { Page } from '../ui/page.tsx';
import { DocumentTitle, PageTitle } from '../ui/page-title.tsx';
import styles from './admin-page.module.css';
import { useAdminPage } from './use-admin-page.ts';

/** The organisations of the site, for admins (§2, §6). */
export function AdminPage(props: SiteFrameData & AdminData) {
  const { list, asking, ask, close, create, setSlug } = useAdminPage(props);
  return (
    <Page>
      <DocumentTitle parts={['Admin', PROGRAM_NAME]} />
      <div className={styles.head}>
        <PageTitle>Admin</PageTitle>
        <div className={styles.actions}>
          <ButtonLink kind="outline" to={pagePath('users-page', {})}>
            <Icon name="people" /> Users
          </ButtonLink>
          <ButtonLink kind="outline" to={pagePath('test-page', {})}>
            <Icon name="tools" /> Test
          </ButtonLink>
          <Button kind="action" busy={asking?.kind === 'create'} onClick={() => ask({ kind: 'create' })}>
            <Icon name="plus" /> Create Org
          </Button>
        </div>
      </div>
      <OrgList list={list} onSetSlug={(org) => ask({ kind: 'slug', org })} />
      {asking?.kind === 'create' && <CreateOrgDialog onCreate={create} onClose={close} />}
      {asking?.kind === 'created' && <CreatedDialog org={asking.org} onClose={close} />}
      {asking?.kind === 'slug' && (
        <SlugDialog org={asking.org} onSet={(slug) => setSlug(asking.org, slug)} onClose={close} />
      )}
    </Page>
  );
}
