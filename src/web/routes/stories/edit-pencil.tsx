import { useEffect, useState } from 'react';
import { pagePath } from '#contract/pages.ts';
import type { Profile } from '#contract/schemas/stories.ts';
import { useApi, useSession } from '#web/session/app-context.ts';
import { ButtonLink } from '#web/ui/button.tsx';
import { Icon } from '#web/ui/icon.tsx';

type EditPencilProps = { orgid: string; profile: Profile };

/** The way to change an offsetter, for its owner and for admins alone (§2). */
export function EditPencil({ orgid, profile }: EditPencilProps) {
  const { admin, emailVerified } = useSession();
  const isMine = useIsMine(orgid, profile);
  if (!isMine && !(admin && emailVerified)) return null;
  return (
    <ButtonLink kind="quiet" to={pagePath('edit-offsetter-page', { orgid, offsetterid: profile.id })}>
      <Icon name="pencil" /> Edit
    </ButtonLink>
  );
}

/** Whether the story is one's own. What came with the document was rendered for a visitor, and is asked for again. */
function useIsMine(orgid: string, { id, mine }: Profile): boolean {
  const api = useApi();
  const { uid, emailVerified } = useSession();
  const [known, setKnown] = useState<{ readonly of: string; readonly mine: boolean }>();
  const question = `${uid} ${id}`;
  useEffect(() => {
    if (!emailVerified || mine) return;
    const controller = new AbortController();
    const params = { orgid, offsetterid: id };
    api.call('readOffsetter', { params, signal: controller.signal }).then(
      (profile) => setKnown({ of: question, mine: profile.mine === true }),
      // Then there is no pencil, and the way by "My profile" is left.
      () => undefined,
    );
    return () => controller.abort();
  }, [api, orgid, id, mine, emailVerified, question]);
  return emailVerified && (mine === true || (known?.of === question && known.mine));
}
