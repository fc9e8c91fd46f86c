import { Button, ButtonLink } from '#web/ui/button.tsx';
import { Icon } from '#web/ui/icon.tsx';
import styles from '../treasury.module.css';

type PageTurnerProps = {
  /** The address of the page before; nothing where there is none. */
  previous: string | undefined;
  next: string | undefined;
};

/** Leads to the page before and to the one after, each with an address of its own. */
export function PageTurner({ previous, next }: PageTurnerProps) {
  if (previous === undefined && next === undefined) return null;
  return (
    <nav aria-label="Pages" className={styles.turner}>
      {previous === undefined ? (
        <Button kind="outline" disabled>
          <Icon name="previous" /> Previous
        </Button>
      ) : (
        <ButtonLink kind="outline" to={previous} rel="prev" aria-current="false">
          <Icon name="previous" /> Previous
        </ButtonLink>
      )}
      {next === undefined ? (
        <Button kind="outline" disabled>
          Next <Icon name="next" />
        </Button>
      ) : (
        <ButtonLink kind="outline" to={next} rel="next" aria-current="false">
          Next <Icon name="next" />
        </ButtonLink>
      )}
    </nav>
  );
}
