import { pagePath } from '#contract/pages.ts';
import { QRCODE_SIZE, qrcodePath } from '#contract/qrcode.ts';
import { displayedStats } from '#domain/org.ts';
import { LitStreet, litStreet } from '#web/drawings/lit-street.tsx';
import type { OrgFrame } from '#web/site/page.ts';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { Cluster } from '#web/ui/layout.tsx';
import { DocumentTitle, Page, PageTitle } from '#web/ui/page.tsx';
import styles from './about.module.css';

/** The QR code of the organization's home page (§2), to scan, to print as a poster, or to download. */
export function QrcodePage({ org, site }: OrgFrame) {
  return (
    <Page narrow>
      <DocumentTitle parts={['QR code', org.name]} />
      <Poster org={org} publicUrl={site.publicUrl} />
      <Cluster className={styles.buttons}>
        <Button kind="dark" className={styles.print} onClick={() => window.print()}>
          Print poster
        </Button>
        <ButtonLink kind="outline" href={qrcodePath(org.id)} download={`${org.id}-qr-code.svg`}>
          Download SVG
        </ButtonLink>
      </Cluster>
    </Page>
  );
}

type PosterProps = {
  org: OrgFrame['org'];
  /** The public origin of the site. */
  publicUrl: string;
};

function Poster({ org, publicUrl }: PosterProps) {
  const home = pagePath('home-page', { orgid: org.id });
  const { grants } = displayedStats(org.stats, org.statsDelta);
  return (
    <div className={styles.poster}>
      <PageTitle className={styles.name}>{org.name}</PageTitle>
      <p className={styles.tag}>{org.tag}</p>
      <img
        src={qrcodePath(org.id)}
        width={QRCODE_SIZE}
        height={QRCODE_SIZE}
        alt={`QR code of the home page of ${org.name}`}
        className={styles.code}
      />
      <p>Scan the QR code to visit {org.name}</p>
      <a href={home} className={styles.address}>
        {`${publicUrl}/${org.slug}`.replace(/^https?:\/\//, '')}
      </a>
      <div className={styles.street}>
        <LitStreet street={litStreet(grants)} />
      </div>
    </div>
  );
}
