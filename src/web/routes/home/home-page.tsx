import type { OrgFrame } from '#web/site/page.ts';
import { DocumentTitle } from '#web/ui/page.tsx';
import { City } from './city.tsx';
import { Community } from './community.tsx';
import { Hero } from './hero.tsx';
import { HomeCalculator } from './home-calculator.tsx';
import { HomeIntro } from './home-intro.tsx';
import type { HomeData } from './route.ts';
import { Stats } from './stats.tsx';

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
