import { useEffect, useState } from 'react';
import { orgIdAt, pagePath } from '#contract/pages.ts';
import { FAILURES, sentenceOf } from '#domain/failures.ts';
import { PROGRAM_NAME } from '#domain/program-name.ts';
import { ApiProblem, OfflineError } from '#web/api/api-error.ts';
import { NightHouse } from '#web/drawings/night-house.tsx';
import { readAddress } from '#web/navigation/address.ts';
import { useAddress, useNavigator } from '#web/navigation/use-navigator.ts';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { classNames } from '#web/ui/class-names.ts';
import styles from '#web/ui/message-page.module.css';
import { DocumentTitle, PageTitle } from '#web/ui/page.tsx';
import { WithoutScripts } from '#web/ui/without-scripts.tsx';

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

/** The address of the organisation's home page, where that was seen before and so opens without a network. */
function useKeptHome(isOffline: boolean): string | undefined {
  const orgid = orgIdAt(readAddress(useAddress()).path);
  const [kept, setKept] = useState<string>();
  useEffect(() => {
    if (!isOffline || orgid === undefined) return;
    const home = pagePath('home-page', { orgid });
    // Where nobody can tell, no way is offered.
    void isKept(home).then(
      (isThere) => setKept(isThere ? home : undefined),
      () => setKept(undefined),
    );
  }, [isOffline, orgid]);
  return kept;
}

/** A browser tells of a network that cannot be used yet: it is tried so many milliseconds after that, too. */
const TRIES_MS = [0, 1000, 3000, 8000];

/** What did not come for want of a network is asked for again as soon as there is one. */
function useReloadOnline(isOffline: boolean): void {
  const { reload } = useNavigator();
  useEffect(() => {
    if (!isOffline) return;
    let timers: number[] = [];
    const stop = () => timers.forEach(window.clearTimeout);
    const again = () => {
      stop();
      timers = TRIES_MS.map((wait) => window.setTimeout(() => void reload(), wait));
    };
    window.addEventListener('online', again);
    return () => {
      stop();
      window.removeEventListener('online', again);
    };
  }, [isOffline, reload]);
}

async function isKept(address: string): Promise<boolean> {
  const { hasKeptDocument } = await import('./offline.ts');
  return hasKeptDocument(address);
}

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
