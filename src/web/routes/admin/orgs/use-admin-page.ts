import { useState } from 'react';
import type { Org } from '#contract/schemas/orgs.ts';
import type { SentBody } from '#contract/schemas.ts';
import { useNavigator } from '#web/navigation/use-navigator.ts';
import { useApi, useSession, useSessionStore } from '#web/session/app-context.ts';
import { useToast } from '#web/ui/toast.tsx';
import type { CreatedOrg } from './created-dialog.tsx';
import { type AdminData, loadOrgs } from './route.ts';
import { useOrgList } from './use-org-list.ts';

/** What is asked on top of the page, or told. */
type Asking =
  | { readonly kind: 'create' }
  | { readonly kind: 'created'; readonly org: CreatedOrg }
  | { readonly kind: 'slug'; readonly org: Org };

/** The organisations, and what admins do with them. */
export function useAdminPage({ orgs }: AdminData) {
  const api = useApi();
  const session = useSessionStore();
  const { email: ownEmail } = useSession();
  const toast = useToast();
  const { forget } = useNavigator();
  const [asking, ask] = useState<Asking>();
  const list = useOrgList(orgs, (cursorRef) => loadOrgs(api, cursorRef));
  const close = () => ask(undefined);

  const create = async (body: SentBody<'createOrg'>) => {
    const { id } = await api.call('createOrg', { body });
    forget();
    const email = body.email.toLowerCase();
    // An admin who made oneself the first editor sees the editors' links at once.
    if (email === ownEmail.toLowerCase()) await session.refreshClaims();
    // It is made, also where it cannot be read just now.
    const [team] = await Promise.all([
      api.call('readEditors', { params: { orgid: id } }).catch(() => undefined),
      list.begin().catch(() => undefined),
    ]);
    const isInvited = team?.editors.length === 0;
    ask({ kind: 'created', org: { id, name: body.name, email, isInvited } });
  };
  const setSlug = async (org: Org, slug: string) => {
    list.put(await api.call('editOrg', { params: { orgid: org.id }, body: { slug } }));
    forget();
    close();
    toast('saved');
  };
  return { list, asking, ask, close, create, setSlug };
}
