import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { m } from '#messages';
import { failureMessage } from '#web/api/error-messages.ts';
import { callQuery } from '#web/api/queries.ts';
import { useApi } from '#web/session/app-context.ts';
import { GiftHomesText } from '#web/stories/gift-homes.tsx';
import { Problem } from '#web/ui/problem.tsx';
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx';
import styles from './me.module.css';

type GiftHomesPartProps = { orgid: string; receipt: string; giftLabel: string };

/** The homes that a gift helped, loaded when the part is opened. */
export function GiftHomesPart({ orgid, receipt: key, giftLabel }: GiftHomesPartProps) {
  const [isOpen, setIsOpen] = useState(false);
  const query = callQuery(useApi(), 'openGiftHomes', { params: { orgid }, query: { key } });
  const { data: homes, isLoading, error } = useQuery({ ...query, enabled: isOpen, staleTime: 0 });
  return (
    <details className={styles.homes} onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
      <summary>
        {m.giftHomesTitle()}
        <VisuallyHidden>: {giftLabel}</VisuallyHidden>
      </summary>
      {homes && <GiftHomesText homes={homes} />}
      {isLoading && <p>{m.loading()}</p>}
      <Problem>{error && failureMessage(error)}</Problem>
    </details>
  );
}
