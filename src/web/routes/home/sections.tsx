import type { ReactNode } from 'react';
import { pagePath } from '#contract/pages.ts';
import type { Org } from '#contract/schemas/orgs.ts';
import { DONATION_PRESETS } from '#domain/cart.ts';
import { formatWhole, formatWholeDollars } from '#domain/money.ts';
import { displayedStats } from '#domain/org.ts';
import { tonsSentence } from '#domain/tons-sentence.ts';
import { m } from '#messages';
import { Cutaway } from '#web/drawings/cutaway.tsx';
import { buildStreet, LitStreet } from '#web/drawings/lit-street.tsx';
import type { StoryScene } from '#web/drawings/story-landscape.tsx';
import { Link } from '#web/navigation/link.tsx';
import { HelpLink } from '#web/site/help-link.tsx';
import { ProfileCard } from '#web/stories/profile-card.tsx';
import { type CardStory, SCENES } from '#web/stories/story-kinds.ts';
import { ButtonLink } from '#web/ui/button.tsx';
import { CellText } from '#web/ui/markdown.tsx';
import { RichText } from '#web/ui/rich-text.tsx';
import { renderVisuallyHidden } from '#web/ui/visually-hidden.tsx';
import styles from './home.module.css';
import type { HomeCell, HomeData } from './route.ts';

/** The intro cell. On wide screens, its list is next to the rest of the text. */
export function Intro({ cell }: { cell: HomeCell }) {
  return (
    <section className={styles.intro}>
      <CellText cell={cell} className={styles.introText} />
    </section>
  );
}

/** The totals in whole numbers (§2), over a street with a lit window for every grant. */
export function Stats({ org, grantResults }: { org: Org } & Pick<HomeData, 'grantResults'>) {
  const { stats, statsDelta } = org;
  const { co2, funds, grants } = displayedStats(stats, statsDelta);
  const street = buildStreet(grants);
  const rows = [
    {
      label: m.homeStatPounds(),
      value: formatWhole(co2),
      note: grantResults && grantResults.pounds > 0 && m.homeSaved({ pounds: formatWhole(grantResults.pounds) }),
    },
    {
      label: m.homeStatFunds(),
      value: formatWholeDollars(funds),
      note: grantResults?.dollars ? m.homePaid({ dollars: formatWholeDollars(grantResults.dollars) }) : undefined,
    },
    {
      label: m.homeStatGrants(),
      value: formatWhole(grants),
      note:
        stats.grants > 0 &&
        statsDelta.grants > 0 &&
        m.homeRecorded({ recorded: formatWhole(stats.grants), added: formatWhole(statsDelta.grants) }),
    },
  ];
  return (
    <section className={styles.stats} data-dark aria-label={m.homeTotals()}>
      <div className={styles.statsInner}>
        <dl className={styles.numbers}>
          {rows.map(({ label, value, note }) => (
            <div key={label} className={styles.number}>
              <dt>{label}</dt>
              <dd className={styles.total}>{value}</dd>
              {note && <dd className={styles.done}>{note}</dd>}
            </div>
          ))}
        </dl>
        <p className={styles.caption}>
          {getCaption(grants, street.grantsPerWindow)}{' '}
          <Link to={pagePath('pounds-page', { orgid: org.id })}>{m.headPounds()}</Link>
        </p>
      </div>
      <LitStreet street={street} />
    </section>
  );
}

function getCaption(grants: number, grantsPerWindow: number): string {
  return grants < 1 ? m.homeWindowsToCome() : m.homeWindows({ count: grantsPerWindow });
}

type CommunityProps = {
  org: Pick<Org, 'id' | 'noAwardees'>;
  cell: HomeCell;
  stories: HomeData['stories'];
};

/** The home page's three columns of stories (§2). */
export function Community({ org, cell, stories }: CommunityProps) {
  const params = { orgid: org.id };
  return (
    <section className={styles.community}>
      <CellText cell={cell} className={styles.communityText} />
      <div className={styles.columns}>
        <Column
          title={m.navOffsetters()}
          line={m.homeOffsettersLine()}
          to={pagePath('offsetters-page', params)}
          stories={stories.offsetters}
          scene={SCENES.offsetters}
        />
        <Column
          title={m.navInstallers()}
          line={m.homeInstallersLine()}
          to={pagePath('installers-page', params)}
          stories={stories.installers}
          scene={SCENES.installers}
        />
        {org.noAwardees ? (
          <FutureAwardees to={pagePath('future-awardees-page', params)} />
        ) : (
          <Column
            title={m.navAwardees()}
            line={
              <>
                {m.homeAwardeesLine()} <HelpLink orgId={org.id} />
              </>
            }
            to={pagePath('awardees-page', params)}
            stories={stories.awardees}
            scene={SCENES.awardees}
          />
        )}
      </div>
    </section>
  );
}

type ColumnProps = { title: string; line: ReactNode; to: string; stories: readonly CardStory[]; scene: StoryScene };

function Column({ title, line, to, stories, scene }: ColumnProps) {
  return (
    <div className={styles.column}>
      <ColumnTitle title={title} link={m.homeSeeAll({ title: title.toLowerCase() })} to={to} />
      <p className={styles.columnLine}>{line}</p>
      {stories.map((profile) => (
        <ProfileCard
          key={profile.id}
          profile={profile}
          scene={scene}
          headingLevel={4}
          sizes="(max-width: 576px) 160px, (max-width: 960px) 46vw, 372px"
        />
      ))}
      {stories.length === 0 && <p className={styles.noStories}>{m.homeNoStories()}</p>}
    </div>
  );
}

/** Replaces the awardees column while the organization has no awardees (decisions §8). */
function FutureAwardees({ to }: { to: string }) {
  const title = m.navFutureAwardees();
  return (
    <div className={styles.column}>
      <ColumnTitle title={title} link={m.homeSeeMore({ title: title.toLowerCase() })} to={to} />
      <p className={styles.noStories}>{m.homeNoAwardees()}</p>
    </div>
  );
}

function ColumnTitle({ title, link, to }: { title: string; link: string; to: string }) {
  return (
    <div className={styles.columnTitle}>
      <h3>{title}</h3>
      <Link to={to} className={styles.seeAll}>
        <RichText text={link} tags={{ hidden: renderVisuallyHidden }} />
      </Link>
    </div>
  );
}

/** The city cell, next to the drawing of a house. */
export function City({ orgId, cell }: { orgId: string; cell: HomeCell }) {
  return (
    <section className={styles.city}>
      <div className={styles.cityInner}>
        <Cutaway className={styles.cutaway} loading="lazy" />
        <div>
          <CellText cell={cell} />
          <ButtonLink kind="action" to={pagePath('donate-page', { orgid: orgId })} className={styles.donate}>
            {m.navDonate()}
          </ButtonLink>
        </div>
      </div>
    </section>
  );
}

const [SMALLEST_PRESET = 0] = DONATION_PRESETS;

/** Links to the donate page with the preset amounts filled in, below the effect of the smallest one. */
export function Closing({ org: { id } }: { org: Org }) {
  return (
    <section className={styles.closing} data-dark>
      <h2>{tonsSentence(SMALLEST_PRESET * 100)}</h2>
      <div>
        {DONATION_PRESETS.map((dollars) => (
          <ButtonLink key={dollars} kind="action" to={`${pagePath('donate-page', { orgid: id })}?amount=${dollars}`}>
            {formatWholeDollars(dollars)}
          </ButtonLink>
        ))}
      </div>
    </section>
  );
}
