import { localizeAddress } from '#contract/languages.ts';
import type { Org } from '#contract/schemas/orgs.ts';
import { displayedStats } from '#domain/org.ts';
import { LANGUAGE, m } from '#messages';
import { buildStreet, type Street } from '#web/drawings/lit-street.tsx';
import { ActionButton } from '#web/forms/action-button.tsx';
import { Card } from '#web/ui/layout.tsx';
import { useToast } from '#web/ui/toast.tsx';
import styles from './checkout.module.css';

/** The organization's street with a bright window for each grant, and a candle in the window of this gift. */
export function buildGiftStreet({ stats, statsDelta }: Org, checkoutId: string): Street {
  return buildStreet(displayedStats(stats, statsDelta).grants, [checkoutId]);
}

const GRANT_SENTENCES = { some: m.windowBright(), none: m.windowNone() } as const;

type YourWindowProps = { org: Org; checkoutId: string; publicUrl: string };

/** Explains which window is the donor's, with a button that shares a picture of it. */
export function YourWindow({ org, checkoutId, publicUrl }: YourWindowProps) {
  const toast = useToast();
  const { grants } = displayedStats(org.stats, org.statsDelta);
  const share = async () => {
    const { shareWindow } = await import('./window-picture.ts');
    const texts = {
      title: org.place === '' ? m.windowLit() : m.windowLitIn({ place: org.place }),
      subtitle: `${m.windowMine()} ${GRANT_SENTENCES[grants > 0 ? 'some' : 'none']}`,
      url: new URL(localizeAddress(`/${org.slug}`, LANGUAGE), publicUrl),
    };
    if ((await shareWindow(buildGiftStreet(org, checkoutId), texts)) === 'saved') toast(m.windowSaved());
  };
  return (
    <Card className={styles.window} aria-labelledby="your-window">
      <h2 id="your-window">{m.windowTitle()}</h2>
      <p>{GRANT_SENTENCES[grants > 0 ? 'some' : 'none']}</p>
      <ActionButton kind="outline" action={share}>
        {m.windowShare()}
      </ActionButton>
    </Card>
  );
}
