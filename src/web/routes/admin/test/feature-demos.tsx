import { useState } from 'react';
import type { Org } from '#contract/schemas/orgs.ts';
import type { Site } from '#contract/schemas/site.ts';
import type { Profile } from '#contract/schemas/stories.ts';
import { donationItem, offsetItem } from '#domain/cart.ts';
import { CartRow } from '#web/cart/cart-panel.tsx';
import { Calculator } from '#web/routes/home/calculator/calculator.tsx';
import { Stats } from '#web/routes/home/sections.tsx';
import { StoryList } from '#web/routes/stories/story-list.tsx';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { Icon, type IconName } from '#web/ui/icon.tsx';
import { Cluster } from '#web/ui/layout.tsx';
import { ONCE, type Recurrence } from '#web/ui/recurrence-select.tsx';
import styles from './demo.module.css';
import { Demo, DemoSection } from './demo.tsx';

const STORY = 'We stopped flying to see my parents twice a year, and started taking the train. ';

const profile = (id: string, name: string, story: string): Profile => ({
  id,
  name,
  story,
  photoURL: null,
  photo: null,
  profileURL: '/test',
  createdTimestamp: '2026-03-14T09:30:00.000Z',
});

const PROFILES = [profile('short', 'Ada', 'We walk.'), profile('long', 'A. Very-Long-Surname', STORY.repeat(4))];
const MORE = { items: PROFILES, nextCursor: 'long' };
const NONE = { items: [], nextCursor: undefined };

type FeatureDemosProps = { org: Org | undefined; site: Site };

export function FeatureDemos({ org, site }: FeatureDemosProps) {
  const failing = () => Promise.reject(new Error('This demo always fails to load.'));
  return (
    <DemoSection title="Cards">
      <Demo title="Profile cards; “Load more” fails here" wide>
        <StoryList first={MORE} load={failing} scene="trip" empty="" />
      </Demo>
      <Demo title="A list without stories">
        <StoryList first={NONE} load={failing} scene="home" empty="No grants have been awarded yet." />
      </Demo>
      <Demo title="Cart rows">
        <CartDemo />
      </Demo>
      {org && (
        <>
          <Demo title="Calculator card" wide>
            <Calculator org={org} site={site} />
          </Demo>
          <Demo title="Stats with large numbers" wide>
            <Stats org={{ ...org, stats: { co2: 98_765_432.1, gas: 0, funds: 1_234_567.89, grants: 4321 } }} />
          </Demo>
        </>
      )}
    </DemoSection>
  );
}

const AIR = offsetItem('air', 2150.4);
const GIFT = donationItem(25);

function CartDemo() {
  const [recurrence, setRecurrence] = useState<Recurrence>(ONCE);
  const { recurring, interval } = recurrence;
  const items = [AIR, { ...GIFT, recurring, recurringInterval: interval }];
  return (
    <ul>
      {items.map((item) => (
        <CartRow key={item.type} item={item} onRecur={setRecurrence} onRemove={() => {}} />
      ))}
    </ul>
  );
}

const KINDS = ['action', 'dark', 'outline', 'quiet', 'remove', 'danger'] as const;

const ICONS: readonly IconName[] = [
  ...(['menu', 'close', 'air', 'car', 'home', 'bolt', 'cart', 'pin', 'search', 'check', 'trash'] as const),
  ...(['plus', 'minus', 'previous', 'next', 'arrow', 'external', 'camera', 'repeat', 'info', 'people'] as const),
  ...(['tools', 'question', 'gift', 'qr', 'medal', 'pencil', 'person', 'heart', 'login', 'logout'] as const),
  ...(['settings', 'shield', 'chart', 'mail', 'history', 'bold', 'italic', 'heading', 'list', 'link'] as const),
];

export function ButtonDemos() {
  return (
    <DemoSection title="Buttons and icons">
      {KINDS.map((kind) => (
        <Demo key={kind} title={`Button: ${kind}`}>
          <Cluster>
            <Button kind={kind}>Ready</Button>
            <Button kind={kind} disabled>
              Disabled
            </Button>
            <Button kind={kind} busy>
              Busy…
            </Button>
          </Cluster>
        </Demo>
      ))}
      <Demo title="Buttons: wide, with an icon, as a link">
        <Button wide>Wide</Button>
        <Cluster>
          <Button kind="action">
            <Icon name="plus" /> With an icon
          </Button>
          <ButtonLink kind="outline" to="/test">
            A link to a page
          </ButtonLink>
          <ButtonLink kind="quiet" href="#icons">
            A link by address
          </ButtonLink>
        </Cluster>
      </Demo>
      <Demo title="Icons" wide>
        <Cluster gap={4} className={styles.icons} id="icons">
          {ICONS.map((name) => (
            <span key={name}>
              <Icon name={name} /> {name}
            </span>
          ))}
        </Cluster>
      </Demo>
    </DemoSection>
  );
}
