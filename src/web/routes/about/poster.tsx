import { pagePath } from '#contract/pages.ts';
import { QRCODE_SIZE, qrcodePath } from '#contract/qrcode.ts';
import type { Org } from '#contract/schemas/orgs.ts';
import { displayedStats } from '#domain/org.ts';
import { LitRow } from '#web/drawings/lit-row.tsx';
import { litStreet } from '#web/drawings/street.ts';
import { PageTitle } from '#web/ui/page.tsx';
import styles from './poster.module.css';

type PosterProps = {
  org: Pick<Org, 'id' | 'name' | 'tag' | 'stats' | 'statsDelta'>;
  /** The origin under which the public reaches the site. */
  publicUrl: string;
};

/** The code of an organisation's home and what it leads to, on a sheet that is printed as it stands here. */
export function Poster({ org, publicUrl }: PosterProps) {
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
        {(publicUrl + home).replace(/^https?:\/\//, '')}
      </a>
      <div className={styles.street}>
        <LitRow street={litStreet(Math.max(0, Math.round(grants)))} />
      </div>
    </div>
  );
}
