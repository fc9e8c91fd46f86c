import { useState } from 'react';
import { pagePath } from '#contract/pages.ts';
import { isStoryShown } from '#domain/profile.ts';
import { useAttempt } from '#web/api/use-attempt.ts';
import { useLeaveGuard } from '#web/navigation/use-leave-guard.ts';
import { useNavigator } from '#web/navigation/use-navigator.ts';
import { useApi, useSession } from '#web/session/app-context.ts';
import type { OrgFrame } from '#web/site/page.ts';
import { useToast } from '#web/ui/toast.tsx';
import type { EditOffsetterData } from '../route.ts';
import { useOffsetterEdit } from './use-offsetter-edit.ts';

/** What happens on the edit-offsetter page, and where it leads. */
export function useEditOffsetterPage({ org, offsetter }: OrgFrame & EditOffsetterData) {
  const api = useApi();
  const toast = useToast();
  const { admin, emailVerified } = useSession();
  const params = { orgid: org.id, offsetterid: offsetter.id };
  const edit = useOffsetterEdit(api, params, offsetter);
  const leaving = useLeaveGuard(edit.isUnsaved);
  const goOn = useGoOn(leaving.release);
  const list = pagePath('offsetters-page', { orgid: org.id });

  const save = async () => {
    const saved = await edit.save();
    if (!saved) return;
    toast('Your changes are saved');
    if (isStoryShown(saved)) await goOn(saved.profileURL);
  };
  const navigator = useNavigator();
  const cancel = () => {
    const back = offsetter.mine ? pagePath('user-home-page', {}) : list;
    void navigator.go(isStoryShown(edit.saved) ? edit.saved.profileURL : back);
  };
  const deletion = useDeletion(async () => {
    await api.call('deleteOffsetter', { params });
    toast(`The offsetter ${offsetter.name} is deleted`);
    await goOn(list);
  });
  return { edit, leaving, save, cancel, deletion, mayDelete: admin && emailVerified };
}

/** Leads on from a page whose work is done: nothing is asked, and what was loaded before is asked for anew. */
function useGoOn(release: () => void) {
  const navigator = useNavigator();
  return async (to: string) => {
    release();
    navigator.forget();
    await navigator.go(to);
  };
}

function useDeletion(remove: () => Promise<void>) {
  const [asking, setAsking] = useState(false);
  const { busy, problem, run, clear } = useAttempt();
  return {
    asking,
    busy,
    problem,
    ask: () => {
      clear();
      setAsking(true);
    },
    close: () => setAsking(false),
    confirm: () => run(remove),
  };
}
