import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { pagePath } from '#contract/pages.ts';
import type { RecurringGift } from '#contract/schemas/recurring-gifts.ts';
import { formatDollars } from '#domain/money.ts';
import { displayedStats } from '#domain/org.ts';
import { formatGiftTerms, recurringGiftLabel, recurringGiftSentence } from '#domain/recurring-gift.ts';
import { m } from '#messages';
import { buildStreet } from '#web/drawings/lit-street.tsx';
import { useAttempt } from '#web/forms/use-attempt.ts';
import { useNavigate } from '#web/navigation/use-navigator.ts';
import { StopGiftDialog } from '#web/payment/stop-gift-dialog.tsx';
import { useApi } from '#web/session/app-context.ts';
import type { OrgPageProps } from '#web/site/page.ts';
import { StreetBand } from '#web/site/street-band.tsx';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { Card, Cluster } from '#web/ui/layout.tsx';
import { Detail, DetailList, StatusMark, type Tone } from '#web/ui/list-parts.tsx';
import { DocumentTitle } from '#web/ui/page.tsx';
import { Problem } from '#web/ui/problem.tsx';
import { useToast } from '#web/ui/toast.tsx';
import { useStateFrom } from '#web/ui/use-state-from.ts';
import { ChangeDialog, type NewTerms } from './change-dialog.tsx';
import styles from './gift.module.css';
import type { RecurringGiftData } from './route.ts';

const TONES: Readonly<Record<RecurringGift['status'], Tone>> = {
  unknown: 'plain',
  active: 'done',
  past_due: 'error',
  paused: 'waiting',
  canceled: 'plain',
};

/** Emails about a recurring gift link to this page, where donors change or stop it without logging in (decisions §3). */
export function RecurringGiftPage(props: OrgPageProps & RecurringGiftData) {
  const { org } = props;
  const sentence = useRef<HTMLOutputElement>(null);
  const giftActions = useRecurringGift(props, () => sentence.current?.focus());
  const { gift } = giftActions;
  const hasEnded = gift.status === 'canceled';
  const { grants } = displayedStats(org.stats, org.statsDelta);
  return (
    <>
      <DocumentTitle parts={[m.giftPageTitle(), org.name]} />
      <StreetBand heading={m.giftPageTitle()} street={buildStreet(grants)}>
        <p>{m.giftPageTo({ org: org.name })}</p>
      </StreetBand>
      <div className={styles.content}>
        <Card className={styles.gift} aria-label={m.giftPageTitle()}>
          <RecurringGiftFacts gift={gift} />
          {/* Announces changes to screen readers, and receives focus when the buttons disappear. */}
          <output ref={sentence} tabIndex={-1} className={styles.sentence}>
            {recurringGiftSentence(gift)}
          </output>
          {hasEnded ? (
            <Cluster>
              <ButtonLink kind="outline" to={pagePath('donate-page', { orgid: org.id }) + buildAmountQuery(gift)}>
                {m.giftPageAgain()}
              </ButtonLink>
            </Cluster>
          ) : (
            <RecurringGiftButtons {...giftActions} />
          )}
          <Problem>{giftActions.problem}</Problem>
        </Card>
      </div>
      {giftActions.isChanging && (
        <ChangeDialog
          gift={gift}
          savedChange={props.savedChange}
          onChange={giftActions.change}
          onClose={giftActions.close}
        />
      )}
      {giftActions.isStopping && (
        <StopGiftDialog
          gift={gift}
          orgName={org.name}
          onStop={giftActions.stop}
          onClose={() => giftActions.setIsStopping(false)}
        />
      )}
    </>
  );
}

function RecurringGiftFacts({ gift }: { gift: RecurringGift }) {
  const { status, coveredFee } = gift;
  const terms = formatGiftTerms(gift);
  return (
    <DetailList>
      <Detail name={m.giftPageStatus()}>
        <StatusMark tone={TONES[status]}>{recurringGiftLabel(status)}</StatusMark>
      </Detail>
      {terms !== undefined && <Detail name={m.giftPageGift()}>{addCoveredFee(terms, coveredFee)}</Detail>}
    </DetailList>
  );
}

/**
 * Builds the query string that prefills the donate page with the gift's amount. No recurrence is preselected (decisions
 * §3).
 */
function buildAmountQuery({ amount, coveredFee }: RecurringGift): string {
  const dollars = Math.round((amount ?? 0) - coveredFee);
  return dollars > 0 ? `?amount=${dollars}` : '';
}

function addCoveredFee(terms: string, coveredFee: number): string {
  return coveredFee > 0 ? m.giftPageWithFee({ terms, fee: formatDollars(coveredFee) }) : terms;
}

function RecurringGiftButtons({
  gift,
  busy,
  changeCard,
  pause,
  setIsChanging,
  setIsStopping,
}: ReturnType<typeof useRecurringGift>) {
  const { status } = gift;
  return (
    <Cluster className={styles.buttons}>
      <Button kind={status === 'past_due' ? 'action' : 'outline'} busy={busy} onClick={() => void changeCard()}>
        {m.giftPageCard()}
      </Button>
      {canChange(gift) && (
        <Button kind="outline" disabled={busy} onClick={() => setIsChanging(true)} aria-haspopup="dialog">
          {m.giftChangeTitle()}
        </Button>
      )}
      {canChange(gift) && (
        <Button kind="outline" busy={busy} onClick={() => void pause(status === 'active')}>
          {status === 'active' ? m.giftPagePause() : m.giftPageResume()}
        </Button>
      )}
      <Button kind="remove" disabled={busy} onClick={() => setIsStopping(true)} aria-haspopup="dialog">
        {m.giftPageStop()}
      </Button>
    </Cluster>
  );
}

function canChange({ status }: RecurringGift): boolean {
  return status === 'active' || status === 'paused';
}

/** @param onStopped called once the gift has ended, which removes its buttons */
function useRecurringGift(
  { org, gift: initialGift, giftKey, savedChange }: OrgPageProps & RecurringGiftData,
  onStopped: () => void,
) {
  const api = useApi();
  const toast = useToast();
  const { busy, problem, run } = useAttempt();
  // Reloaded page data is newer than the last change.
  const [gift, setGift] = useStateFrom(initialGift);
  const [isChanging, setIsChanging] = useState(savedChange !== undefined && canChange(initialGift));
  const [isStopping, setIsStopping] = useState(false);
  const params = { orgid: org.id, giftkey: giftKey };
  const navigate = useNavigate();
  const close = () => {
    setIsChanging(false);
    // A reload must not open the dialog again.
    if (savedChange) void navigate(pagePath('recurring-gift-page', params), { replace: true, keepScroll: true });
  };
  return {
    gift,
    busy,
    problem,
    isChanging,
    setIsChanging,
    close,
    isStopping,
    setIsStopping,
    /** @throws the error of the call */
    stop: async () => {
      const stoppedGift = await api.call('stopRecurringGift', { params });
      // The sentence can receive focus only after the dialog has closed.
      flushSync(() => {
        setGift(stoppedGift);
        setIsStopping(false);
      });
      onStopped();
      toast(m.giftPageStopped());
    },
    pause: (paused: boolean) =>
      run(async () => {
        setGift(await api.call('pauseRecurringGift', { params, body: { paused } }));
        toast(paused ? m.giftPagePaused() : m.giftPageResumed());
      }),
    changeCard: () =>
      run(async () => {
        const { url } = await api.call('changeRecurringGiftCard', { params });
        window.location.assign(url);
      }),
    /** @throws the error of the call */
    change: async (terms: NewTerms) => {
      setGift(await api.call('changeRecurringGift', { params, body: terms }));
      close();
      toast(m.giftPageChanged());
    },
  };
}
