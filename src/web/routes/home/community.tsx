import { pagePath } from '#contract/pages.ts';
import type { Org } from '#contract/schemas/orgs.ts';
import type { Profile } from '#contract/schemas/stories.ts';
import type { StoryScene } from '#web/drawings/story-landscape.tsx';
import { Link } from '#web/navigation/link.tsx';
import { ProfileCard } from '#web/stories/profile-card.tsx';
import { SCENES } from '#web/stories/story-kinds.ts';
import { CellText } from '#web/ui/markdown.tsx';
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx';
import styles from './community.module.css';

type CommunityProps = {
  org: Pick<Org, 'id' | 'noAwardees'>;
  html: string;
  stories: Readonly<Record<'offsetters' | 'installers' | 'awardees', readonly Profile[]>>;
};

/** The home page's three columns of stories (§2). */
export function Community({ org, html, stories }: CommunityProps) {
  const params = { orgid: org.id };
  return (
    <section className={styles.community}>
      <CellText html={html} className={styles.words} />
      <div className={styles.columns}>
        <Column
          title="Offsetters"
          to={pagePath('offsetters-page', params)}
          stories={stories.offsetters}
          scene={SCENES.offsetters}
        />
        <Column
          title="Installers"
          to={pagePath('installers-page', params)}
          stories={stories.installers}
          scene={SCENES.installers}
        />
        {org.noAwardees ? (
          <FutureAwardees to={pagePath('future-awardees-page', params)} />
        ) : (
          <Column
            title="Awardees"
            to={pagePath('awardees-page', params)}
            stories={stories.awardees}
            scene={SCENES.awardees}
          />
        )}
      </div>
    </section>
  );
}

type ColumnProps = { title: string; to: string; stories: readonly Profile[]; scene: StoryScene };

function Column({ title, to, stories, scene }: ColumnProps) {
  return (
    <div className={styles.column}>
      <ColumnTitle title={title} link="See all" to={to} />
      {stories.map((profile) => (
        <ProfileCard
          key={profile.id}
          profile={profile}
          scene={scene}
          headingLevel={4}
          sizes="(max-width: 576px) 160px, (max-width: 860px) 46vw, 372px"
        />
      ))}
      {stories.length === 0 && <p className={styles.empty}>The first stories are still to come.</p>}
    </div>
  );
}

/** Stands in the place of the awardees while there are none (decisions §7). */
function FutureAwardees({ to }: { to: string }) {
  return (
    <div className={styles.column}>
      <ColumnTitle title="Future awardees" link="See more" to={to} />
      <p className={styles.empty}>
        The first grants of the residential energy efficiency program are still to come. Read what they will help with.
      </p>
    </div>
  );
}

function ColumnTitle({ title, link, to }: { title: string; link: string; to: string }) {
  return (
    <div className={styles.title}>
      <h3>{title}</h3>
      <Link to={to} className={styles.all}>
        {link}
        <VisuallyHidden> {title.toLowerCase()}</VisuallyHidden>
      </Link>
    </div>
  );
}
