import { sentenceOf } from '#domain/failures.ts';
import { PROGRAM_NAME } from '#domain/program-name.ts';
import { ApiProblem, OfflineError } from '#web/api/api-error.ts';
import { NightHouse } from '#web/drawings/night-house.tsx';
import { useNavigator } from '#web/navigation/use-navigator.ts';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import styles from '#web/ui/message-page.module.css';
import { DocumentTitle, PageTitle } from '#web/ui/page-title.tsx';
import { useKeptHome, useReloadOnline } from './use-offline-page.ts';

/** What a page shows whose data did not come. */
export function ErrorPage({ error }: { error: unknown }) {
  const isOffline = error instanceof OfflineError;
  const navigator = useNavigator();
  const home = useKeptHome(isOffline);
  useReloadOnline(isOffline);
  const title = isOffline ? 'You are offline' : 'This page could not be shown';
  return (
    <div className={styles.message} role="alert">
      <NightHouse />
      <DocumentTitle parts={[title, PROGRAM_NAME]} />
      <PageTitle>{title}</PageTitle>
      <p>{sentenceFor(error)}</p>
      {isOffline && (
        <p>Pages that you have seen before still open, and this one comes as soon as you are back online.</p>
      )}
      {error instanceof ApiProblem && error.requestId && (
        <p className={styles.reference}>Reference: {error.requestId}</p>
      )}
      <div className={styles.actions}>
        <Button onClick={() => void navigator.reload()}>Try again</Button>
        {home !== undefined && (
          <ButtonLink kind="outline" to={home}>
            Go to the home page
          </ButtonLink>
        )}
      </div>
    </div>
  );
}

/** Only sentences that were written for people; any other error's words are for the log. */
function sentenceFor(error: unknown): string {
  return error instanceof ApiProblem || error instanceof OfflineError ? error.message : sentenceOf('server-error');
}
