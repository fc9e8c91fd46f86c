import type { GiftHomes } from '#contract/schemas/receipts.ts';
import { giftSentences, homeLines, poundSentences } from '#domain/gift-homes.ts';
import { formatDollars, formatPounds } from '#domain/money.ts';
import { m } from '#messages';
import { StoryLandscape } from '#web/drawings/story-landscape.tsx';
import { Link } from '#web/navigation/link.tsx';
import styles from './gift-homes.module.css';
import { StoryPhoto } from './story-photo.tsx';

type SingleGift = NonNullable<GiftHomes['gift']>;

/** The homes that a gift helped; for a recurring gift, also those of all its payments. */
export function GiftHomesText({ homes: { place, gift, all } }: { homes: GiftHomes }) {
  if (!gift) return <p>{m.giftHomesNotCounted()}</p>;
  return (
    <div className={styles.gift}>
      <GiftText gift={gift} place={place} />
      {all && (
        <>
          <h3>{m.giftHomesAll({ count: all.payments })}</h3>
          <GiftText gift={all.gift} place={place} />
        </>
      )}
    </div>
  );
}

function GiftText({ gift, place }: { gift: SingleGift; place: string }) {
  const pounds = poundSentences(gift);
  return (
    <>
      <p>{giftSentences(gift, place).join(' ')}</p>
      {pounds.length > 0 && <p>{pounds.join(' ')}</p>}
      {gift.homes.length > 0 && (
        <ul className={styles.homes}>
          {withKeys(gift.homes).map(({ key, home }) => (
            <HomeRow key={key} home={home} />
          ))}
        </ul>
      )}
    </>
  );
}

/** Uses the index as key, because two unpublished homes may have the same text. */
function withKeys(homes: SingleGift['homes']) {
  return homes.map((home, index) => ({ key: `home-${index}`, home }));
}

function HomeRow({ home }: { home: SingleGift['homes'][number] }) {
  const { page, amount, pounds } = home;
  return (
    <li className={styles.home}>
      {page ? (
        // The link next to it contains the name.
        <StoryPhoto profile={{ ...page, name: '' }} scene="home" sizes="96px" className={styles.photo} />
      ) : (
        <StoryLandscape seed="" scene="home" className={styles.photo} />
      )}
      <div>
        <p className={styles.name}>{page ? <Link to={page.profileURL}>{page.name}</Link> : m.giftHomesHome()}</p>
        <ul>
          <li>{amount > 0 ? m.giftHomesPart({ part: formatDollars(amount) }) : m.giftHomesLent()}</li>
          {pounds !== null && pounds > 0 && <li>{m.giftHomesPounds({ pounds: formatPounds(pounds) })}</li>}
          {homeLines(home).map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      </div>
    </li>
  );
}
