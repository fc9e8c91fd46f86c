import { FAILURES } from '#domain/failures.ts';
import { PROGRAM_NAME } from '#domain/program-name.ts';
import { NightHouse } from '#web/drawings/night-house.tsx';
import { ButtonLink } from '#web/ui/button.tsx';
import styles from '#web/ui/message-page.module.css';
import { DocumentTitle, PageTitle } from '#web/ui/page-title.tsx';

/** What an address that leads nowhere shows. */
export function NotFoundPage() {
  return (
    <div className={styles.message}>
      <NightHouse />
      <DocumentTitle parts={['Page not found', PROGRAM_NAME]} />
      <PageTitle>Page not found</PageTitle>
      <p>{FAILURES['page-not-found'].message} The address may be mistyped, or what it led to may be gone.</p>
      <ButtonLink to="/">Go to the home page</ButtonLink>
    </div>
  );
}
