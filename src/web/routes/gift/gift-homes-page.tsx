import type { GiftHomes } from '#contract/schemas/receipts.ts';
import { endpointPath, VISITOR_CALLS } from '#contract/visitor-calls.ts';
import { carbonSentences, shortGiftSentences, sumPaidToHomes, sumSavedPounds } from '#domain/gift-homes.ts';
import { formatDollars, formatPounds } from '#domain/money.ts';
import { displayedStats } from '#domain/org.ts';
import { m } from '#messages';
import { buildStreet } from '#web/drawings/lit-street.tsx';
import type { OrgPageProps } from '#web/site/page.ts';
import { StreetBand } from '#web/site/street-band.tsx';
import { HelpedHomes } from '#web/stories/helped-homes.tsx';
import { ButtonLink } from '#web/ui/button.tsx';
import { Card } from '#web/ui/layout.tsx';
import { DocumentTitle } from '#web/ui/page.tsx';
import styles from './gift-homes.module.css';
import type { GiftHomesData } from './route.ts';

type DonorGift = NonNullable<GiftHomes['gift']>;

/** The homes that a gift helped, with dollars and pounds. For a recurring gift, the amounts include all its payments. */
export function GiftHomesPage({
  org,
  homes: { place, checkoutid: checkoutId, gift, allPayments },
  receiptKey,
}: OrgPageProps & GiftHomesData) {
  const donorGift = allPayments?.gift ?? gift;
  const { grants } = displayedStats(org.stats, org.statsDelta);
  const street = buildStreet(grants, [checkoutId]);
  return (
    <>
      <DocumentTitle parts={[m.giftHomesTitle(), org.name]} />
      <StreetBand heading={m.giftHomesTitle()} street={street} caption={m.windowYours()}>
        <p>
          {donorGift ? shortGiftSentences(donorGift, place, allPayments?.payments).join(' ') : m.giftHomesNotCounted()}
        </p>
      </StreetBand>
      <div className={styles.content}>
        {donorGift && (
          <>
            <GiftFigures gift={donorGift} />
            <Homes homes={donorGift.homes} />
          </>
        )}
        <ButtonLink
          kind="outline"
          href={`${endpointPath(VISITOR_CALLS.openReceipt, { orgid: org.id })}?key=${receiptKey}`}
        >
          {m.emailSeeReceipt()}
        </ButtonLink>
      </div>
    </>
  );
}

function GiftFigures({ gift }: { gift: DonorGift }) {
  const { homes, unallocatedDollars } = gift;
  const paidDollars = sumPaidToHomes(homes);
  const savings = sumSavedPounds(homes);
  const sentences = carbonSentences(gift);
  return (
    <Card className={styles.figures}>
      <dl>
        {paidDollars > 0 && <GiftFigure name={m.giftHomesPaid()}>{formatDollars(paidDollars)}</GiftFigure>}
        {unallocatedDollars > 0 && (
          <GiftFigure name={m.giftHomesWaiting()}>{formatDollars(unallocatedDollars)}</GiftFigure>
        )}
        {savings && (
          <>
            <GiftFigure name={m.giftHomesSaved()}>
              {m.giftPounds({ pounds: formatPounds(savings.savedPounds) })}
            </GiftFigure>
            <GiftFigure name={m.giftHomesToCome()}>
              {m.giftPounds({ pounds: formatPounds(savings.remainingPounds) })}
            </GiftFigure>
          </>
        )}
      </dl>
      {sentences.length > 0 && <p>{sentences.join(' ')}</p>}
    </Card>
  );
}

function GiftFigure({ name, children }: { name: string; children: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Homes({ homes }: { homes: DonorGift['homes'] }) {
  return (
    <section aria-labelledby="gift-homes" className={styles.homes}>
      <h2 id="gift-homes">{m.giftHomesList()}</h2>
      {homes.length === 0 ? <p>{m.giftHomesNone()}</p> : <HelpedHomes homes={homes} />}
    </section>
  );
}
