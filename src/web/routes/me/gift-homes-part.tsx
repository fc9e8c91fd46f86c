import { useState } from 'react';
import type { GiftHomes } from '#contract/schemas/receipts.ts';
import { m } from '#messages';
import { useAttempt } from '#web/api/use-attempt.ts';
import { useApi } from '#web/session/app-context.ts';
import { GiftHomesText } from '#web/stories/gift-homes.tsx';
import { Problem } from '#web/ui/problem.tsx';
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx';
import styles from './me.module.css';

/** The homes that a gift helped, loaded when the part is opened. */
export function GiftHomesPart({
  orgid,
  receipt: key,
  giftLabel,
}: {
  orgid: string;
  receipt: string;
  giftLabel: string;
}) {
  const api = useApi();
  const { busy, problem, run } = useAttempt();
  const [homes, setHomes] = useState<GiftHomes>();
  const loadHomes = async () => setHomes(await api.call('openGiftHomes', { params: { orgid }, query: { key } }));
  return (
    <details
      className={styles.homes}
      onToggle={({ currentTarget }) => {
        if (currentTarget.open && !homes) void run(loadHomes);
      }}
    >
      <summary>
        {m.giftHomesTitle()}
        <VisuallyHidden>: {giftLabel}</VisuallyHidden>
      </summary>
      {homes && <GiftHomesText homes={homes} />}
      {busy && <p>{m.loading()}</p>}
      <Problem>{problem}</Problem>
    </details>
  );
}
