import { lazy, Suspense, useSyncExternalStore } from 'react';
import styles from './home-qrcode.module.css';

/** Pixels, of each side (§9). */
export const QRCODE_SIZE = 200;

const QRCodeSVG = lazy(async () => ({ default: (await import('qrcode.react')).QRCodeSVG }));

/** The public address of a page as a QR code, and as a link beneath it. */
export function HomeQrcode({ path, label }: { path: string; label: string }) {
  const origin = useOrigin();
  const address = `${origin}${path}`;
  return (
    <div className={styles.code}>
      <div className={styles.square}>
        {origin && (
          <Suspense>
            <QRCodeSVG value={address} size={QRCODE_SIZE} title={label} fgColor="#07202a" />
          </Suspense>
        )}
      </div>
      <a href={path} className={styles.address}>
        {origin ? address.replace(/^https?:\/\//, '') : path}
      </a>
    </div>
  );
}

/** Where this site is reached, which only the browser knows; '' on the server. */
function useOrigin(): string {
  return useSyncExternalStore(
    neverChanges,
    () => window.location.origin,
    () => '',
  );
}

function neverChanges(): () => void {
  return () => undefined;
}
