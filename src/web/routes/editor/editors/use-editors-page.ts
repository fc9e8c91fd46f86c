import { useState } from 'react';
import { pagePath } from '#contract/pages.ts';
import type { Editor, Invitation } from '#contract/schemas/editors.ts';
import { useApi, useSession, useSessionStore } from '#web/session/app-context.ts';
import { useLeaveSignedOut } from '#web/session/use-leave-signed-out.ts';
import type { OrgFrame } from '#web/site/page.ts';
import { useToast } from '#web/ui/toast.tsx';
import { addedSentence } from './editor-words.ts';
import { type EditorsData, loadEditors } from './route.ts';

/** What is asked on top of the page. */
type Asking =
  | { readonly kind: 'add' }
  | { readonly kind: 'editor'; readonly editor: Editor }
  | { readonly kind: 'invitation'; readonly invitation: Invitation };

/** Who edits an organisation, and what becomes of it. */
export function useEditorsPage({ org, ...loaded }: OrgFrame & EditorsData) {
  const api = useApi();
  const session = useSessionStore();
  const { uid: selfId } = useSession();
  const toast = useToast();
  const leaveSignedOut = useLeaveSignedOut();
  const [team, setTeam] = useState(loaded.team);
  const [asking, ask] = useState<Asking>();
  const orgid = org.id;
  const close = () => ask(undefined);
  /** Shows what the server has now, and closes what was asked. */
  const settle = async (words: string) => {
    // What was done is done, also where the list cannot be read anew just now.
    const read = await loadEditors(api, orgid).catch(() => undefined);
    if (read) setTeam(read.team);
    close();
    toast(words);
  };

  const add = async (email: string) => {
    const added = await api.call('addEditor', { params: { orgid }, body: { email } });
    // Whoever adds oneself, as an admin can, sees the editors' links at once.
    if (added.userId === selfId) await session.refreshClaims();
    await settle(addedSentence(added));
  };
  const remove = async ({ userId, displayName, email }: Editor) => {
    await api.call('removeEditor', { params: { orgid, userid: userId } });
    if (userId !== selfId) return settle(`${displayName || email} is no editor any more`);
    // With the role the session has gone (decisions §4).
    await leaveSignedOut(pagePath('home-page', { orgid }), 'You are no editor any more');
  };
  const withdraw = async ({ id, email }: Invitation) => {
    await api.call('withdrawInvitation', { params: { orgid, invitationid: id } });
    await settle(`The invitation of ${email} is withdrawn`);
  };
  return { team, selfId, asking, ask, close, add, remove, withdraw };
}
