import { PROGRAM_NAME } from '#domain/program-name.ts';
import { NightHouse } from '#web/drawings/night-house.tsx';
import { classNames } from '#web/ui/class-names.ts';
import styles from '#web/ui/message-page.module.css';
import { WithoutScripts } from '#web/ui/without-scripts.tsx';

/** Shown when a page's data is slow to come. */
export function LoadingPage() {
  return (
    <div className={classNames(styles.message, styles.tall)}>
      <NightHouse waiting />
      <output>Loading…</output>
    </div>
  );
}

/** Stands where a page will, until its data was asked for the first time: what comes soon needs no word before it. */
export function WaitingPage() {
  return (
    <div className={classNames(styles.message, styles.tall)} aria-busy="true">
      <WithoutScripts>{PROGRAM_NAME} needs JavaScript to show this page.</WithoutScripts>
    </div>
  );
}
