import { pagePath } from '#contract/pages.ts';
import { HomeQrcode } from '../features/qrcode/home-qrcode.tsx';
import type { OrgFrame } from '../page-data.ts';
import { Page } from '../ui/page.tsx';
import { DocumentTitle, PageTitle } from '../ui/page-title.tsx';
import styles from './qrcode-page.module.css';

/** The public address of the organisation's home, to be scanned (§2). */
export function QrcodePage({ org }: OrgFrame) {
  return (
    <Page narrow>
      <DocumentTitle parts={['QR code', org.name]} />
      <div className={styles.centred}>
        <PageTitle>{org.name}</PageTitle>
        <p className={styles.words}>Scan the QR code to visit {org.name}</p>
        <HomeQrcode path={pagePath('home-page', { orgid: org.id })} label={`QR code of the home page of ${org.name}`} />
      </div>
    </Page>
  );
}
