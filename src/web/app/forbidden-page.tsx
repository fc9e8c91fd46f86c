import { FAILURES } from '#domain/failures.ts';
import { PROGRAM_NAME } from '#domain/program-name.ts';
import { NightHouse } from '#web/drawings/night-house.tsx';
import { ButtonLink } from '#web/ui/button.tsx';
import { classNames } from '#web/ui/class-names.ts';
import styles from '#web/ui/message-page.module.css';
import { DocumentTitle, PageTitle } from '#web/ui/page-title.tsx';

/** What somebody sees who is signed in, and may not see a page (§2). */
export function ForbiddenPage() {
  return (
    <div className={classNames(styles.message, styles.tall)}>
      <NightHouse />
      <DocumentTitle parts={['No permission', PROGRAM_NAME]} />
      <PageTitle>No permission</PageTitle>
      <p>{FAILURES.forbidden.message}</p>
      <ButtonLink to="/">Go to the home page</ButtonLink>
    </div>
  );
}
