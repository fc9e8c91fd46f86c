import { type ReactNode, useState } from 'react';
import { pagePath } from '#contract/pages.ts';
import type { Org } from '#contract/schemas/orgs.ts';
import { useNavigate } from '#web/navigation/use-navigator.ts';
import { useApi, useSession } from '#web/session/app-context.ts';
import { useToast } from '#web/ui/toast.tsx';

/** Fetched for whoever has no offsetter. */
const loadDialog = () => import('./no-offsetter-dialog.tsx');
type DialogModule = Awaited<ReturnType<typeof loadDialog>>;

const NOT_LOADED = 'Your profile could not be loaded. Please check your connection and try again.';

/** "My profile" (§2): leads to one's offsetter of the organisation, or shows the dialog that says there is none. */
export function useMyProfile(org: Org | undefined): { open: () => void; dialog: ReactNode } {
  const api = useApi();
  const navigate = useNavigate();
  const toast = useToast();
  const { emailVerified } = useSession();
  const [shown, setShown] = useState<DialogModule>();
  const look = async (orgid: string) => {
    const own = await api.call('readMyOffsetter', { params: { orgid } });
    if (own) await navigate(pagePath('edit-offsetter-page', { orgid, offsetterid: own.id }));
    else setShown(await loadDialog());
  };
  const dialog = shown && <shown.NoOffsetterDialog isVerified={emailVerified} onClose={() => setShown(undefined)} />;
  return { open: () => void (org && look(org.id).catch(() => toast(NOT_LOADED))), dialog };
}
