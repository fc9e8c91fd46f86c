import { useEffect, useState } from 'react';
import { findOrgId, pagePath } from '#contract/pages.ts';
import { getFailureSentence } from '#domain/failures.ts';
import { SITE_NAME } from '#domain/site-name.ts';
import { m } from '#messages';
import { ApiProblem, OfflineError } from '#web/api/api-error.ts';
import { failureMessage } from '#web/api/failure-message.ts';
import { NightHouse } from '#web/drawings/night-house.tsx';
import { parseAddress } from '#web/navigation/address.ts';
import { useAddress, useNavigator } from '#web/navigation/use-navigator.ts';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { classNames } from '#web/ui/class-names.ts';
import styles from '#web/ui/message-page.module.css';
import { NoScriptNotice } from '#web/ui/no-script.tsx';
import { DocumentTitle, PageTitle } from '#web/ui/page.tsx';

export function ErrorPage({ error }: { error: unknown }) {
  const isOffline = error instanceof OfflineError;
  const navigator = useNavigator();
  const home = useCachedHome(isOffline);
  useReloadWhenOnline(isOffline);
  const title = isOffline ? m.offlineTitle() : m.errorTitle();
  return (
    <div className={styles.message} role="alert">
      <NightHouse />
      <DocumentTitle parts={[title, SITE_NAME]} />
      <PageTitle>{title}</PageTitle>
      <p>{failureMessage(error, getFailureSentence('offline'))}</p>
      {isOffline && <p>{m.offlineText()}</p>}
      {error instanceof ApiProblem && error.requestId && (
        <p className={styles.reference}>{m.errorReference({ id: error.requestId })}</p>
      )}
      <div className={styles.actions}>
        <Button onClick={() => void navigator.reload()}>{m.tryAgain()}</Button>
        {home !== undefined && (
          <ButtonLink kind="outline" to={home}>
            {m.goHome()}
          </ButtonLink>
        )}
      </div>
    </div>
  );
}

/** The address of the organization's home page, if it was cached for offline use. */
function useCachedHome(isOffline: boolean): string | undefined {
  const orgId = findOrgId(parseAddress(useAddress()).path);
  const [cachedHome, setCachedHome] = useState<string>();
  useEffect(() => {
    if (!isOffline || orgId === undefined) return;
    const home = pagePath('home-page', { orgid: orgId });
    void isCached(home).then(
      (isHomeCached) => setCachedHome(isHomeCached ? home : undefined),
      () => setCachedHome(undefined),
    );
  }, [isOffline, orgId]);
  return cachedHome;
}

/** Browsers report being online before the network works, so the page reloads a few times. */
const RELOAD_DELAYS_MS = [0, 1000, 3000, 8000];

function useReloadWhenOnline(isOffline: boolean): void {
  const { reload } = useNavigator();
  useEffect(() => {
    if (!isOffline) return;
    let timers: number[] = [];
    const stop = () => timers.forEach(window.clearTimeout);
    const retry = () => {
      stop();
      timers = RELOAD_DELAYS_MS.map((delayMs) => window.setTimeout(() => void reload(), delayMs));
    };
    window.addEventListener('online', retry);
    return () => {
      stop();
      window.removeEventListener('online', retry);
    };
  }, [isOffline, reload]);
}

async function isCached(address: string): Promise<boolean> {
  const { hasCachedDocument } = await import('./offline.ts');
  return hasCachedDocument(address);
}

/** Shown while a page's data is slow to load. */
export function LoadingPage() {
  return (
    <div className={classNames(styles.message, styles.tall)}>
      <NightHouse isLoading />
      <output>{m.loading()}</output>
    </div>
  );
}

/** Shown over a page that reloads with a different query, so that the page keeps its focus and field values. */
export function LoadingNote() {
  return <output className={styles.note}>{m.loading()}</output>;
}

/** Shown until the browser requests the page's data, which is too soon for a loading message. */
export function WaitingPage() {
  return (
    <div className={classNames(styles.message, styles.tall)} aria-busy="true">
      <NoScriptNotice>{m.needsScripts({ program: SITE_NAME })}</NoScriptNotice>
    </div>
  );
}

export function NotFoundPage() {
  return (
    <div className={styles.message}>
      <NightHouse />
      <DocumentTitle parts={[m.notFoundTitle(), SITE_NAME]} />
      <PageTitle>{m.notFoundTitle()}</PageTitle>
      <p>{m.notFoundText()}</p>
      <ButtonLink to="/">{m.goHome()}</ButtonLink>
    </div>
  );
}
