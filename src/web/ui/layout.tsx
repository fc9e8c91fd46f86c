import type { ComponentProps, ReactNode } from 'react';
import { classNames } from './class-names.ts';
import styles from './layout.module.css';

type Gap = 1 | 2 | 3 | 4 | 5 | 6;
type LayoutProps = ComponentProps<'div'> & {
  /** Spacing token (styles/tokens.css). */
  gap?: Gap;
};

const GAPS: Readonly<Record<Gap, string | undefined>> = {
  1: styles.gap1,
  2: styles.gap2,
  3: styles.gap3,
  4: styles.gap4,
  5: styles.gap5,
  6: styles.gap6,
};

export function Stack({ gap = 4, className, ...rest }: LayoutProps) {
  return <div {...rest} className={classNames(styles.stack, GAPS[gap], className)} />;
}

/** A wrapping row of buttons, badges, or facts. */
export function Cluster({ gap = 3, className, ...rest }: LayoutProps) {
  return <div {...rest} className={classNames(styles.cluster, GAPS[gap], className)} />;
}

export function Card({ className, ...rest }: ComponentProps<'section'>) {
  return <section {...rest} className={classNames(styles.card, className)} />;
}

/** Rows on one card, with lines between them. */
export function ItemList({ className, ...rest }: ComponentProps<'ul'>) {
  return <ul {...rest} className={classNames(styles.items, className)} />;
}

type ItemRowProps = {
  lead?: ReactNode;
  title: ReactNode;
  /** Shown in smaller type. */
  facts?: ReactNode;
  /** Shown at the end of the row or, on a phone, below the text. */
  actions?: ReactNode;
  children?: ReactNode;
};

export function ItemRow({ lead, title, facts, actions, children }: ItemRowProps) {
  return (
    <li className={styles.item}>
      {lead}
      <div className={styles.text}>
        <div className={styles.title}>{title}</div>
        {facts !== undefined && <div className={styles.facts}>{facts}</div>}
        {children}
      </div>
      {actions !== undefined && <Cluster gap={2}>{actions}</Cluster>}
    </li>
  );
}
