import { City } from '../features/home/city.tsx';
import { Hero } from '../features/home/hero.tsx';
import { HomeIntro } from '../features/home/home-intro.tsx';
import { Stats } from '../features/home/stats.tsx';
import { Community } from '../features/stories/community.tsx';
import type { HomeData, OrgFrame } from '../page-data.ts';
import { DocumentTitle } from '../ui/page-title.tsx';
import { HomeCalculator } from './home-calculator.tsx';

/** The home of an organisation (§2). */
export function HomePage({ org, site, cells, stories, cancelledCheckoutId }: OrgFrame & HomeData) {
  return (
    <>
      <DocumentTitle parts={[org.name, org.tag]} />
      <Hero org={org}>
        <HomeCalculator key={org.id} org={org} site={site} cancelledCheckoutId={cancelledCheckoutId} />
      </Hero>
      <HomeIntro html={cells.intro.html} />
      <Stats org={org} />
      <Community org={org} html={cells.community.html} stories={stories} />
      <City orgId={org.id} html={cells.city.html} />
    </>
  );
}
