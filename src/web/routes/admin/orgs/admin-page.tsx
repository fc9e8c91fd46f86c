import { pagePath } from '#contract/pages.ts';
import { PROGRAM_NAME } from '#domain/program-name.ts';
import type { SiteFrameData } from '#web/site/page.ts';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { DocumentTitle, Page, PageTitle } from '#web/ui/page.tsx';
import styles from './admin-page.module.css';
import { CreateOrgDialog } from './create-org-dialog.tsx';
import { CreatedDialog } from './created-dialog.tsx';
import { OrgList } from './org-list.tsx';
import type { AdminData } from './route.ts';
import { SlugDialog } from './slug-dialog.tsx';
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
