import type { HomeForDonor } from '#contract/schemas/receipts.ts';
import { homeLines } from '#domain/gift-homes.ts';
import { formatDollars, formatPounds } from '#domain/money.ts';
import { m } from '#messages';
import { StoryLandscape } from '#web/drawings/story-landscape.tsx';
import { Link } from '#web/navigation/link.tsx';
import styles from './helped-homes.module.css';
import { StoryPhoto } from './story-photo.tsx';

type HelpedHomesProps = {
  homes: readonly HomeForDonor[];
  /** Number of gifts that helped them. */
  giftCount?: number;
};

/** Homes that a donor's gifts helped, with pictures and the donor's part of each grant. */
export function HelpedHomes({ homes, giftCount = 1 }: HelpedHomesProps) {
  return (
    <ul className={styles.homes}>
      {homes.map((home, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two unpublished homes may have the same text
        <HomeCard key={index} home={home} giftCount={giftCount} />
      ))}
    </ul>
  );
}

function HomeCard({ home, giftCount }: { home: HomeForDonor; giftCount: number }) {
  const { page, amount, pounds } = home;
  return (
    <li className={styles.home}>
      {page ? (
        // The link below the picture contains the name.
        <StoryPhoto
          profile={{ ...page, name: '' }}
          scene="home"
          sizes="(max-width: 576px) 100vw, 380px"
          className={styles.photo}
        />
      ) : (
        <StoryLandscape seed="" scene="home" className={styles.photo} />
      )}
      <div className={styles.text}>
        <h3>{page ? <Link to={page.profileURL}>{page.name}</Link> : m.giftHomesHome()}</h3>
        <ul>
          <li className={styles.part}>{m.giftHomesPart({ part: formatDollars(amount), count: giftCount })}</li>
          {pounds !== null && pounds > 0 && <li>{m.giftHomesPounds({ pounds: formatPounds(pounds) })}</li>}
          {homeLines(home).map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      </div>
    </li>
  );
}
