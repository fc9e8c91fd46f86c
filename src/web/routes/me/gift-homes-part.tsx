import { useState } from 'react';
import type { GiftHomes } from '#contract/schemas/receipts.ts';
import { m } from '#messages';
import { useAttempt } from '#web/api/use-attempt.ts';
import { useApi } from '#web/session/app-context.ts';
import { GiftHomesTold } from '#web/stories/gift-homes.tsx';
import { Problem } from '#web/ui/problem.tsx';
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx';
import styles from './me.module.css';

/** Where a gift went, read when it is opened. */
export function GiftHomesPart({ orgid, receipt: key, what }: { orgid: string; receipt: string; what: string }) {
  const api = useApi();
  const { busy, problem, run } = useAttempt();
  const [homes, setHomes] = useState<GiftHomes>();
  const read = async () => setHomes(await api.call('openGiftHomes', { params: { orgid }, query: { key } }));
  return (
    <details
      className={styles.homes}
      onToggle={({ currentTarget }) => {
        if (currentTarget.open && !homes) void run(read);
      }}
    >
      <summary>
        {m.giftHomesTitle()}
        <VisuallyHidden>: {what}</VisuallyHidden>
      </summary>
      {homes && <GiftHomesTold homes={homes} />}
      {busy && <p>{m.loading()}</p>}
      <Problem>{problem}</Problem>
    </details>
  );
}
