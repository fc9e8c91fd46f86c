import { PROGRAM_NAME } from '#domain/program-name.ts';
import { ButtonLink } from '../ui/button.tsx';
import { DocumentTitle, PageTitle } from '../ui/page-title.tsx';
import styles from './message-page.module.css';

/** Stands where a page will be that is still to come (PAGES_TO_COME). Nothing leads here. */
export function ComingPage() {
  return (
    <div className={styles.message}>
      <DocumentTitle parts={['Coming soon', PROGRAM_NAME]} />
      <PageTitle>Coming soon</PageTitle>
      <p>This page is not there yet.</p>
      <ButtonLink to="/">Go to the home page</ButtonLink>
    </div>
  );
}
