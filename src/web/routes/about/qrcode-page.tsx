import { qrcodePath } from '#contract/qrcode.ts';
import type { OrgFrame } from '#web/site/page.ts';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { DocumentTitle, Page } from '#web/ui/page.tsx';
import { Poster } from './poster.tsx';
import styles from './qrcode-page.module.css';

/** The public address of the organisation's home, to be scanned (§2), printed as a poster, or taken along as a picture. */
export function QrcodePage({ org, site }: OrgFrame) {
  return (
    <Page narrow>
      <DocumentTitle parts={['QR code', org.name]} />
      <Poster org={org} publicUrl={site.publicUrl} />
      <div className={styles.buttons}>
        <Button kind="dark" className={styles.print} onClick={() => window.print()}>
          Print poster
        </Button>
        <ButtonLink kind="outline" href={qrcodePath(org.id)} download={`${org.id}-qr-code.svg`}>
          Download SVG
        </ButtonLink>
      </div>
    </Page>
  );
}
