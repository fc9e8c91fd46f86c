import type { UnclaimedGifts } from '#contract/schemas/users.ts';
import { dayText } from '#domain/days.ts';
import { m } from '#messages';
import { useAttempt } from '#web/forms/use-attempt.ts';
import { useApi } from '#web/session/app-context.ts';
import { Button } from '#web/ui/button.tsx';
import { Card, Cluster, Stack } from '#web/ui/layout.tsx';
import { Problem } from '#web/ui/problem.tsx';
import { RichText } from '#web/ui/rich-text.tsx';
import { useToast } from '#web/ui/toast.tsx';
import { renderVisuallyHidden } from '#web/ui/visually-hidden.tsx';
import styles from './me.module.css';

/** Gifts whose email address an editor corrected to this person's. */
export function GiftClaims({ claims }: { claims: readonly UnclaimedGifts[] }) {
  if (claims.length === 0) return null;
  return (
    <Stack className={styles.claims}>
      {claims.map((gifts) => (
        <Claim key={gifts.donorid} claim={gifts} />
      ))}
    </Stack>
  );
}

function Claim({ claim: { donorid, orgid, orgName: org, gifts, lastGiftOn } }: { claim: UnclaimedGifts }) {
  const api = useApi();
  const toast = useToast();
  const { run, busy, problem } = useAttempt();
  const respond = async (isMine: boolean) => {
    await api.call('claimGifts', { params: { orgid, donorid }, body: { mine: isMine } });
    toast(isMine ? m.giftsClaimed() : m.giftsDeclined());
  };
  return (
    <Card className={styles.claim}>
      <h3 className={styles.name}>{m.giftsClaimTitle()}</h3>
      <p>{m.giftsClaimText({ org, count: gifts, day: dayText(lastGiftOn) })}</p>
      <Cluster gap={4}>
        <Button kind="action" busy={busy} onClick={() => void run(() => respond(true))}>
          <RichText text={m.giftsClaimYes({ org })} tags={{ hidden: renderVisuallyHidden }} />
        </Button>
        <Button kind="outline" busy={busy} onClick={() => void run(() => respond(false))}>
          <RichText text={m.giftsClaimNo({ org })} tags={{ hidden: renderVisuallyHidden }} />
        </Button>
        <Problem inline>{problem}</Problem>
      </Cluster>
    </Card>
  );
}
