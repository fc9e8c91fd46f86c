import { useState } from 'react';
import { pagePath } from '#contract/pages.ts';
import type { UserRecurringGift } from '#contract/schemas/recurring-gifts.ts';
import { formatGiftTerms, recurringGiftLabel, recurringGiftSentence } from '#domain/recurring-gift.ts';
import { m } from '#messages';
import { Link } from '#web/navigation/link.tsx';
import { StopGiftDialog } from '#web/payment/stop-gift-dialog.tsx';
import { useApi } from '#web/session/app-context.ts';
import { Button } from '#web/ui/button.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { ItemList, ItemRow } from '#web/ui/layout.tsx';
import { StatusMark } from '#web/ui/list-parts.tsx';
import { RichText } from '#web/ui/rich-text.tsx';
import { useToast } from '#web/ui/toast.tsx';
import { renderVisuallyHidden } from '#web/ui/visually-hidden.tsx';
import styles from './me.module.css';

/** A donor's recurring gifts to all organizations, each with a button that stops it (decisions §4). */
export function RecurringGifts({ gifts }: { gifts: readonly UserRecurringGift[] }) {
  const api = useApi();
  const toast = useToast();
  const [giftToStop, setGiftToStop] = useState<UserRecurringGift>();
  const stop = async ({ orgid, giftkey }: UserRecurringGift) => {
    await api.call('stopRecurringGift', { params: { orgid, giftkey } });
    setGiftToStop(undefined);
    toast(m.giftPageStopped());
  };
  return (
    <>
      <ItemList>
        {gifts.map((gift) => (
          <RecurringGiftRow key={gift.giftkey} gift={gift} onStop={() => setGiftToStop(gift)} />
        ))}
      </ItemList>
      {giftToStop && (
        <StopGiftDialog
          gift={giftToStop}
          orgName={giftToStop.orgName}
          onStop={() => stop(giftToStop)}
          onClose={() => setGiftToStop(undefined)}
        />
      )}
    </>
  );
}

function RecurringGiftRow({ gift, onStop }: { gift: UserRecurringGift; onStop: () => void }) {
  const { orgid, orgName, giftkey, status } = gift;
  const hasEnded = status === 'canceled';
  return (
    <ItemRow
      lead={
        <span className={styles.icon}>
          <Icon name="gift" />
        </span>
      }
      title={formatGiftTerms(gift) ?? m.recurringGift()}
      facts={`${orgName} · ${recurringGiftSentence(gift)}`}
      actions={
        <>
          {status !== 'active' && (
            <StatusMark tone={status === 'past_due' ? 'error' : 'plain'}>{recurringGiftLabel(status)}</StatusMark>
          )}
          {!hasEnded && (
            <>
              <Link to={pagePath('recurring-gift-page', { orgid, giftkey })} className={styles.see}>
                <RichText text={m.recurringChange({ org: orgName })} tags={{ hidden: renderVisuallyHidden }} />
              </Link>
              <Button kind="outline" onClick={onStop} aria-haspopup="dialog">
                {m.giftPageStop()}
              </Button>
            </>
          )}
        </>
      }
    />
  );
}
