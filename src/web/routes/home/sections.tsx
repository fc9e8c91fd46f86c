import { pagePath } from '#contract/pages.ts';
import type { Org } from '#contract/schemas/orgs.ts';
import type { Profile } from '#contract/schemas/stories.ts';
import { formatWhole, formatWholeDollars } from '#domain/money.ts';
import { displayedStats } from '#domain/org.ts';
import { Cutaway } from '#web/drawings/cutaway.tsx';
import { LitStreet, litStreet } from '#web/drawings/lit-street.tsx';
import type { StoryScene } from '#web/drawings/story-landscape.tsx';
import { Link } from '#web/navigation/link.tsx';
import { ProfileCard } from '#web/stories/profile-card.tsx';
import { SCENES } from '#web/stories/story-kinds.ts';
import { ButtonLink } from '#web/ui/button.tsx';
import { CellText } from '#web/ui/markdown.tsx';
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx';
import styles from './home.module.css';
import type { HomeData } from './route.ts';

/** The intro cell. Where there is room, a list in it goes beside the rest of the text. */
export function Intro({ html }: { html: string }) {
  return (
    <section className={styles.intro}>
      <CellText html={html} className={styles.introText} />
    </section>
  );
}

/** The totals in whole numbers (§2), over a street with a lit window for every grant. */
export function Stats({ org }: { org: Org }) {
  const { co2, funds, grants } = displayedStats(org.stats, org.statsDelta);
  const street = litStreet(grants);
  const rows = [
    { label: 'Lbs CO₂ Offset', value: formatWhole(co2) },
    { label: '$ in offsets raised', value: formatWholeDollars(funds) },
    { label: 'Grants awarded', value: formatWhole(grants) },
  ];
  return (
    <section className={styles.stats} data-dark aria-label="Totals so far">
      <div className={styles.statsInner}>
        <dl className={styles.numbers}>
          {rows.map(({ label, value }) => (
            <div key={label} className={styles.number}>
              <dt>{label}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
        <p className={styles.caption}>{captionFor(grants, street.grantsPerWindow)}</p>
      </div>
      <LitStreet street={street} />
    </section>
  );
}

function captionFor(grants: number, grantsPerWindow: number): string {
  if (grants < 1) return 'Every grant will light a window below.';
  const every = grantsPerWindow === 1 ? 'every grant' : `every ${grantsPerWindow} grants`;
  return `One lit window below for ${every}.`;
}

type CommunityProps = {
  org: Pick<Org, 'id' | 'noAwardees'>;
  html: string;
  stories: HomeData['stories'];
};

/** The home page's three columns of stories (§2). */
export function Community({ org, html, stories }: CommunityProps) {
  const params = { orgid: org.id };
  return (
    <section className={styles.community}>
      <CellText html={html} className={styles.communityText} />
      <div className={styles.columns}>
        <Column
          title="Offsetters"
          line="People who offset a trip or a year."
          to={pagePath('offsetters-page', params)}
          stories={stories.offsetters}
          scene={SCENES.offsetters}
        />
        <Column
          title="Installers"
          line="Local companies that do the work."
          to={pagePath('installers-page', params)}
          stories={stories.installers}
          scene={SCENES.installers}
        />
        {org.noAwardees ? (
          <FutureAwardees to={pagePath('future-awardees-page', params)} />
        ) : (
          <Column
            title="Awardees"
            line="Neighbors whose homes got a grant."
            to={pagePath('awardees-page', params)}
            stories={stories.awardees}
            scene={SCENES.awardees}
          />
        )}
      </div>
    </section>
  );
}

type ColumnProps = { title: string; line: string; to: string; stories: readonly Profile[]; scene: StoryScene };

function Column({ title, line, to, stories, scene }: ColumnProps) {
  return (
    <div className={styles.column}>
      <ColumnTitle title={title} link="See all" to={to} />
      <p className={styles.columnLine}>{line}</p>
      {stories.map((profile) => (
        <ProfileCard
          key={profile.id}
          profile={profile}
          scene={scene}
          headingLevel={4}
          sizes="(max-width: 576px) 160px, (max-width: 860px) 46vw, 372px"
        />
      ))}
      {stories.length === 0 && <p className={styles.noStories}>Stories are coming soon.</p>}
    </div>
  );
}

/** Replaces the awardees while the organization has none (decisions §8). */
function FutureAwardees({ to }: { to: string }) {
  return (
    <div className={styles.column}>
      <ColumnTitle title="Future awardees" link="See more" to={to} />
      <p className={styles.noStories}>
        The residential energy efficiency program has not awarded its first grants yet. Read what they will pay for.
      </p>
    </div>
  );
}

function ColumnTitle({ title, link, to }: { title: string; link: string; to: string }) {
  return (
    <div className={styles.columnTitle}>
      <h3>{title}</h3>
      <Link to={to} className={styles.seeAll}>
        {link}
        <VisuallyHidden> {title.toLowerCase()}</VisuallyHidden>
      </Link>
    </div>
  );
}

/** What a grant does in the city, beside the drawing of a house. */
export function City({ orgId, html }: { orgId: string; html: string }) {
  return (
    <section className={styles.city}>
      <div className={styles.cityInner}>
        <Cutaway className={styles.cutaway} loading="lazy" />
        <div>
          <CellText html={html} />
          <ButtonLink kind="action" to={pagePath('donate-page', { orgid: orgId })} className={styles.donate}>
            Donate
          </ButtonLink>
        </div>
      </div>
    </section>
  );
}
