import { type ReactNode, useState } from 'react';
import { m } from '#messages';
import { LazyPart, retryableImport } from '#web/ui/lazy-part.tsx';
import styles from './computation-details.module.css';

const explanations = retryableImport(() => import('./explanation.tsx'));

/** "How is this computed?" below an estimate. The explanation loads when the visitor opens it. */
export function ComputationDetails({
  children,
}: {
  children: (part: typeof import('./explanation.tsx')) => ReactNode;
}) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <details className={styles.howComputed} onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
      <summary>{m.howComputed()}</summary>
      {isOpen && <LazyPart module={explanations}>{children}</LazyPart>}
    </details>
  );
}
