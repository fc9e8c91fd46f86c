import { sentenceOf } from '#domain/failures.ts';
import { PROGRAM_NAME } from '#domain/program-name.ts';
import { ApiProblem, OfflineError } from '../api/api-error.ts';
import { NightHouse } from '../drawings/night-house.tsx';
import { useNavigator } from '../navigation/use-navigator.ts';
import { Button } from '../ui/button.tsx';
import { DocumentTitle, PageTitle } from '../ui/page-title.tsx';
import styles from './message-page.module.css';

/** What a page shows whose data did not come. */
export function ErrorPage({ error }: { error: unknown }) {
  const navigator = useNavigator();
  return (
    <div className={styles.message} role="alert">
      <NightHouse />
      <DocumentTitle parts={['Something went wrong', PROGRAM_NAME]} />
      <PageTitle>{error instanceof OfflineError ? 'You are offline' : 'Something went wrong'}</PageTitle>
      <p>{sentenceFor(error)}</p>
      {error instanceof ApiProblem && error.requestId && (
        <p className={styles.reference}>Reference: {error.requestId}</p>
      )}
      <Button onClick={() => void navigator.reload()}>Try again</Button>
    </div>
  );
}

/** Only sentences that were written for people; any other error's words are for the log. */
function sentenceFor(error: unknown): string {
  return error instanceof ApiProblem || error instanceof OfflineError ? error.message : sentenceOf('server-error');
}
