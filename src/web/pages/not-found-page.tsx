import { FAILURES } from '#domain/failures.ts';
import { PROGRAM_NAME } from '#domain/program-name.ts';
import { NightHouse } from '../drawings/night-house.tsx';
import { ButtonLink } from '../ui/button.tsx';
import { DocumentTitle, PageTitle } from '../ui/page-title.tsx';
import styles from './message-page.module.css';

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
