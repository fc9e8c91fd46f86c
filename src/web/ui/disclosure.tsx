import type { ComponentProps, ReactNode } from 'react';
import { classNames } from './class-names.ts';
import styles from './disclosure.module.css';

type DisclosureProps = ComponentProps<'details'> & {
  summary: ReactNode;
  /** Replaces the summary for screen readers. */
  label?: string;
};

/** Content that expands below a summary that looks like a link. */
export function Disclosure({ summary, label, className, children, ...rest }: DisclosureProps) {
  return (
    <details className={classNames(styles.disclosure, className)} {...rest}>
      <summary aria-label={label}>{summary}</summary>
      {children}
    </details>
  );
}
