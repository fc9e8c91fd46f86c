import { useEffect, useRef, useState } from 'react';
import { m } from '#messages';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import type { Challenge } from './checkout-store.ts';
import styles from './payment.module.css';

/** The global that Cloudflare's Turnstile script defines. */
type Turnstile = {
  render(
    container: HTMLElement,
    options: {
      readonly sitekey: string;
      readonly callback: (token: string) => void;
      readonly 'expired-callback': () => void;
      readonly 'error-callback': () => void;
    },
  ): string;
  remove(widget: string): void;
};

declare global {
  interface Window {
    turnstile?: Turnstile;
  }
}

type ChallengeDialogProps = { challenge: Challenge; onClose: () => void };

/** Asks visitors to prove that they are human. Shown while too many cards are being declined. */
export function ChallengeDialog({ challenge, onClose }: ChallengeDialogProps) {
  const { container, token, hasFailed } = useTurnstile(challenge);
  return (
    <Dialog
      title={m.challengeTitle()}
      onClose={onClose}
      footer={
        <Button
          kind="action"
          disabled={token === undefined}
          onClick={() => token !== undefined && challenge.resume(token)}
        >
          {m.proceedToCheckout()}
        </Button>
      }
    >
      <p className={styles.dialogText}>{m.challengeText()}</p>
      <div ref={container} className={styles.widget} />
      <p role="status" className={styles.dialogText}>
        {hasFailed ? m.challengeFailed() : token !== undefined && m.challengePassed()}
      </p>
    </Dialog>
  );
}

function useTurnstile({ origin, siteKey }: Challenge) {
  const container = useRef<HTMLDivElement>(null);
  const [token, setToken] = useState<string>();
  const [hasFailed, setHasFailed] = useState(false);
  useEffect(() => {
    let widget: string | undefined;
    let isUnmounted = false;
    loadScript(`${origin}/turnstile/v0/api.js?render=explicit`).then(
      () => {
        if (isUnmounted || !container.current) return;
        widget = window.turnstile?.render(container.current, {
          sitekey: siteKey,
          // The widget retries after an error, so a token can follow a failure.
          callback: (newToken) => {
            setHasFailed(false);
            setToken(newToken);
          },
          'expired-callback': () => setToken(undefined),
          'error-callback': () => setHasFailed(true),
        });
      },
      () => setHasFailed(true),
    );
    return () => {
      isUnmounted = true;
      if (widget !== undefined) window.turnstile?.remove(widget);
    };
  }, [origin, siteKey]);
  return { container, token, hasFailed };
}

/** Loads the script once per document. */
async function loadScript(src: string): Promise<void> {
  if (window.turnstile) return;
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const script = document.createElement('script');
  script.src = src;
  script.addEventListener('load', () => resolve());
  script.addEventListener('error', () => {
    script.remove();
    reject(new Error('The Turnstile script could not be loaded.'));
  });
  document.head.append(script);
  await promise;
}
