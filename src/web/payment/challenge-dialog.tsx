import { useEffect, useRef, useState } from 'react';
import { m } from '#messages';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import type { Challenge } from './checkout-store.ts';
import styles from './payment.module.css';

/** Cloudflare's widget, as its script makes it known. */
type Turnstile = {
  render(
    place: HTMLElement,
    options: {
      readonly sitekey: string;
      readonly callback: (passed: string) => void;
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

/** Asks visitors to show that they are people, while too many cards are declined. */
export function ChallengeDialog({ challenge, onClose }: ChallengeDialogProps) {
  const { place, passed, failed } = useWidget(challenge);
  return (
    <Dialog
      title={m.challengeTitle()}
      open
      onClose={onClose}
      footer={
        <Button
          kind="action"
          disabled={passed === undefined}
          onClick={() => passed !== undefined && challenge.resume(passed)}
        >
          {m.proceedToCheckout()}
        </Button>
      }
    >
      <p className={styles.dialogText}>{m.challengeText()}</p>
      <div ref={place} className={styles.widget} />
      <p role="status" className={styles.dialogText}>
        {failed ? m.challengeFailed() : passed !== undefined && m.challengePassed()}
      </p>
    </Dialog>
  );
}

function useWidget({ origin, siteKey }: Challenge) {
  const place = useRef<HTMLDivElement>(null);
  const [passed, setPassed] = useState<string>();
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    let widget: string | undefined;
    let isOver = false;
    loadScript(`${origin}/turnstile/v0/api.js?render=explicit`).then(
      () => {
        if (isOver || !place.current) return;
        widget = window.turnstile?.render(place.current, {
          sitekey: siteKey,
          callback: setPassed,
          'expired-callback': () => setPassed(undefined),
          'error-callback': () => setFailed(true),
        });
      },
      () => setFailed(true),
    );
    return () => {
      isOver = true;
      if (widget !== undefined) window.turnstile?.remove(widget);
    };
  }, [origin, siteKey]);
  return { place, passed, failed };
}

/** Once in the life of a page. */
async function loadScript(src: string): Promise<void> {
  if (window.turnstile) return;
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const script = document.createElement('script');
  script.src = src;
  script.addEventListener('load', () => resolve());
  script.addEventListener('error', () => {
    script.remove();
    reject(new Error('The script could not be loaded.'));
  });
  document.head.append(script);
  await promise;
}
