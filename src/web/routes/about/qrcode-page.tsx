import { localizeAddress } from '#contract/languages.ts';
import { pagePath } from '#contract/pages.ts';
import { QRCODE_SIZE, qrcodePath } from '#contract/qrcode.ts';
import { displayedStats } from '#domain/org.ts';
import { LANGUAGE, m } from '#messages';
import { buildStreet, LitStreet } from '#web/drawings/lit-street.tsx';
import type { OrgPageProps } from '#web/site/page.ts';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { Cluster } from '#web/ui/layout.tsx';
import { DocumentTitle, Page, PageTitle } from '#web/ui/page.tsx';
import styles from './about.module.css';
import type { QrcodeData } from './route.ts';

/** The QR code of the organization's home page (§2), to scan, to print as a poster, or to download. */
export function QrcodePage({ org, site, cells }: OrgPageProps & QrcodeData) {
  return (
    <Page narrow>
      <DocumentTitle parts={[m.navQrCode(), org.name]} />
      <Poster org={org} tag={cells.tag.markdown} publicUrl={site.publicUrl} />
      <Cluster className={styles.buttons}>
        <Button kind="dark" className={styles.print} onClick={() => window.print()}>
          {m.qrCodePrint()}
        </Button>
        <ButtonLink kind="outline" href={qrcodePath(org.id, LANGUAGE)} download={`${org.id}-qr-code.svg`}>
          {m.qrCodeDownload()}
        </ButtonLink>
      </Cluster>
    </Page>
  );
}

type PosterProps = {
  org: OrgPageProps['org'];
  /** The organization's tag in the page's language. */
  tag: string;
  /** The public origin of the site. */
  publicUrl: string;
};

function Poster({ org, tag, publicUrl }: PosterProps) {
  const home = localizeAddress(pagePath('home-page', { orgid: org.id }), LANGUAGE);
  const { grants } = displayedStats(org.stats, org.statsDelta);
  return (
    <div className={styles.poster}>
      <PageTitle className={styles.name}>{org.name}</PageTitle>
      <p className={styles.tag}>{tag}</p>
      <img
        src={qrcodePath(org.id, LANGUAGE)}
        width={QRCODE_SIZE}
        height={QRCODE_SIZE}
        alt={m.qrCodePicture({ name: org.name })}
        className={styles.code}
      />
      <p>{m.qrCodeScan({ name: org.name })}</p>
      <a href={home} className={styles.address}>
        {(publicUrl + home).replace(/^https?:\/\//, '')}
      </a>
      <div className={styles.street}>
        <LitStreet street={buildStreet(grants)} />
      </div>
    </div>
  );
}
