import { FAILURES } from '#domain/failures.ts';
import { PROGRAM_NAME } from '#domain/program-name.ts';
import { NightHouse } from '../drawings/night-house.tsx';
import { ButtonLink } from '../ui/button.tsx';
import { classNames } from '../ui/class-names.ts';
import { DocumentTitle, PageTitle } from '../ui/page-title.tsx';
import styles from './message-page.module.css';

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
