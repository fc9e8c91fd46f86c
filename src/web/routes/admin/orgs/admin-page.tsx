import { useSuspenseQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { PAGES, pagePath } from '#contract/pages.ts';
import type { AttentionItem } from '#contract/schemas/attention.ts';
import type { Org } from '#contract/schemas/orgs.ts';
import type { BodyInput } from '#contract/schemas.ts';
import { formatWhole, formatWholeDollars } from '#domain/money.ts';
import { useList } from '#web/api/use-list.ts';
import { AttentionSection } from '#web/attention/attention-section.tsx';
import { useEnglishOnly } from '#web/navigation/use-english-only.ts';
import { useApi, useSession, useSessionStore } from '#web/session/app-context.ts';
import { activityUrl } from '#web/site/activity-view.ts';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { ExtendedIcon } from '#web/ui/extended-icon.tsx';
import { ItemList, ItemRow } from '#web/ui/layout.tsx';
import { ListPage } from '#web/ui/list-page.tsx';
import { Page } from '#web/ui/page.tsx';
import { formatDate } from '#web/ui/text.ts';
import { useToast } from '#web/ui/toast.tsx';
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx';
import { CreatedDialog, type CreatedOrg, CreateOrgDialog, SlugDialog } from './org-dialogs.tsx';
import { figuresQuery, orgsQuery, unassignedAttentionQuery } from './route.ts';
import { SystemStatus } from './system-status.tsx';

/** The organizations, for admins (§2, §6). */
export function AdminPage() {
  useEnglishOnly();
  const api = useApi();
  const list = useList(orgsQuery(api));
  const { data: attention } = useSuspenseQuery(unassignedAttentionQuery(api));
  const { data: figures } = useSuspenseQuery(figuresQuery(api));
  const { dialog, setDialog, close, create, setSlug, resolve } = useAdminPage();
  return (
    <Page>
      <ListPage
        {...list}
        title="Admin"
        actions={
          <>
            <ButtonLink kind="outline" to={pagePath('users-page', {})}>
              <ExtendedIcon name="people" /> Users
            </ButtonLink>
            <ButtonLink kind="outline" to={pagePath('all-activity-page', {})}>
              <ExtendedIcon name="history" /> Activity
            </ButtonLink>
            <ButtonLink kind="outline" to={pagePath('test-page', {})}>
              <ExtendedIcon name="tools" /> Test
            </ButtonLink>
            <Button kind="action" busy={dialog?.kind === 'create'} onClick={() => setDialog({ kind: 'create' })}>
              <ExtendedIcon name="plus" /> Create Org
            </Button>
          </>
        }
        above={<AttentionSection items={attention} zone="UTC" onResolve={resolve} />}
        itemNoun="organizations"
        empty="No organizations yet. Create the first one."
        below={<SystemStatus figures={figures} />}
      >
        {(orgs) => (
          <ItemList>
            {orgs.map((org) => (
              <OrgRow key={org.id} org={org} onSetSlug={() => setDialog({ kind: 'slug', org })} />
            ))}
          </ItemList>
        )}
      </ListPage>
      {dialog?.kind === 'create' && <CreateOrgDialog onCreate={create} onClose={close} />}
      {dialog?.kind === 'created' && <CreatedDialog org={dialog.org} onClose={close} />}
      {dialog?.kind === 'slug' && (
        <SlugDialog org={dialog.org} onSet={(slug) => setSlug(dialog.org, slug)} onClose={close} />
      )}
    </Page>
  );
}

function OrgRow({ org, onSetSlug }: { org: Org; onSetSlug: () => void }) {
  const params = { orgid: org.id };
  return (
    <ItemRow
      title={<h2>{org.name}</h2>}
      facts={
        <>
          /{org.slug} · since {formatDate(org.createdTimestamp, org.timeZone)}
          {org.isSample && ' · sample'}
          <div>
            {formatWholeDollars(org.stats.funds)} given, {formatWhole(org.stats.grants)} grants
          </div>
        </>
      }
      actions={
        <>
          <ButtonLink kind="outline" to={pagePath('home-page', params)}>
            Open<VisuallyHidden> {org.name}</VisuallyHidden>
          </ButtonLink>
          <ButtonLink kind="outline" to={pagePath('editors-page', params)}>
            Editors<VisuallyHidden> for {org.name}</VisuallyHidden>
          </ButtonLink>
          <ButtonLink kind="outline" to={activityUrl(PAGES['all-activity-page'], { org: org.id })}>
            Activity<VisuallyHidden> for {org.name}</VisuallyHidden>
          </ButtonLink>
          <Button kind="outline" onClick={onSetSlug}>
            Set slug<VisuallyHidden> for {org.name}</VisuallyHidden>
          </Button>
        </>
      }
    />
  );
}

type AdminDialog =
  | { readonly kind: 'create' }
  | { readonly kind: 'created'; readonly org: CreatedOrg }
  | { readonly kind: 'slug'; readonly org: Org };

function useAdminPage() {
  const api = useApi();
  const session = useSessionStore();
  const { email: ownEmail } = useSession();
  const toast = useToast();
  const [dialog, setDialog] = useState<AdminDialog>();
  const close = () => setDialog(undefined);

  const create = async (body: BodyInput<'createOrg'>) => {
    const email = body.email.toLowerCase();
    const { id } = await api.call('createOrg', { body });
    // Admins can make themselves the first editor; the new role is in the token's claims.
    if (email === ownEmail.toLowerCase()) await session.refreshClaims();
    // The organization was created even if reading its team fails.
    const team = await api.call('readEditors', { params: { orgid: id } }).catch(() => undefined);
    const isInvited = team?.editors.length === 0;
    setDialog({ kind: 'created', org: { id, name: body.name, email, isInvited } });
  };
  const setSlug = async (org: Org, slug: string) => {
    await api.call('editOrg', { params: { orgid: org.id }, body: { slug } });
    close();
    toast('saved');
  };
  const resolve = ({ id }: AttentionItem, note: string) =>
    api.call('resolveUnassignedAttention', { params: { itemid: id }, body: { note } });
  return { dialog, setDialog, close, create, setSlug, resolve };
}
