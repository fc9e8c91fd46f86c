import type { ReactNode } from 'react';
import { Button, ButtonLink } from './button.tsx';
import { Icon } from './icon.tsx';
import styles from './page-links.module.css';

type PageLinksProps = {
  /** Address of the previous page; undefined on the first one. */
  previous: string | undefined;
  next: string | undefined;
  /** The items on this page, such as "1–10 of 313". */
  range?: ReactNode;
};

/** Links to the previous and the next page of a list. */
export function PageLinks({ previous, next, range }: PageLinksProps) {
  if (previous === undefined && next === undefined) return range ? <p className={styles.place}>{range}</p> : null;
  return (
    <nav aria-label="Pages" className={styles.links}>
      <PageLink to={previous} rel="prev">
        <Icon name="previous" /> Previous
      </PageLink>
      {range && <p>{range}</p>}
      <PageLink to={next} rel="next">
        Next <Icon name="next" />
      </PageLink>
    </nav>
  );
}

function PageLink({ to, rel, children }: { to: string | undefined; rel: 'prev' | 'next'; children: ReactNode }) {
  if (to === undefined) {
    return (
      <Button kind="outline" disabled>
        {children}
      </Button>
    );
  }
  return (
    <ButtonLink kind="outline" to={to} rel={rel} aria-current="false">
      {children}
    </ButtonLink>
  );
}
