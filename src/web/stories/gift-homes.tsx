import type { GiftHomes } from '#contract/schemas/receipts.ts';
import { giftSentences, homeLines, poundSentences } from '#domain/gift-homes.ts';
import { formatDollars, formatPounds } from '#domain/money.ts';
import { m } from '#messages';
import { StoryLandscape } from '#web/drawings/story-landscape.tsx';
import { Link } from '#web/navigation/link.tsx';
import styles from './gift-homes.module.css';
import { StoryPhoto } from './story-photo.tsx';

type Told = NonNullable<GiftHomes['gift']>;

/** Which homes a gift helped; of a recurring gift, also all its payments together. */
export function GiftHomesTold({ homes: { place, gift, all } }: { homes: GiftHomes }) {
  if (!gift) return <p>{m.giftHomesNotCounted()}</p>;
  return (
    <div className={styles.gift}>
      <ToldGift gift={gift} place={place} />
      {all && (
        <>
          <h3>{m.giftHomesAll({ count: all.payments })}</h3>
          <ToldGift gift={all.gift} place={place} />
        </>
      )}
    </div>
  );
}

function ToldGift({ gift, place }: { gift: Told; place: string }) {
  const pounds = poundSentences(gift);
  return (
    <>
      <p>{giftSentences(gift, place).join(' ')}</p>
      {pounds.length > 0 && <p>{pounds.join(' ')}</p>}
      {gift.homes.length > 0 && (
        <ul className={styles.homes}>
          {keyed(gift.homes).map(({ key, home }) => (
            <HomeRow key={key} home={home} />
          ))}
        </ul>
      )}
    </>
  );
}

/** Two homes that are not shown may be told alike. */
function keyed(homes: Told['homes']) {
  return homes.map((home, index) => ({ key: `home-${index}`, home }));
}

function HomeRow({ home }: { home: Told['homes'][number] }) {
  const { page, amount, pounds } = home;
  return (
    <li className={styles.home}>
      {page ? (
        // The link beside it says the name.
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
