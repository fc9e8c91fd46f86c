import { BADGE_SIZE, badgePath, EMBED_SCRIPT, embedPath } from '#contract/embed.ts';
import { inLanguage } from '#contract/languages.ts';
import { pagePath } from '#contract/pages.ts';
import { QRCODE_SIZE, qrcodePath } from '#contract/qrcode.ts';
import { displayedStats } from '#domain/org.ts';
import { LANGUAGE, m } from '#messages';
import { LitStreet, litStreet } from '#web/drawings/lit-street.tsx';
import type { OrgFrame } from '#web/site/page.ts';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { Cluster } from '#web/ui/layout.tsx';
import { DocumentTitle, Page, PageTitle } from '#web/ui/page.tsx';
import { useToast } from '#web/ui/toast.tsx';
import styles from './about.module.css';
import type { QrcodeData } from './route.ts';

/** The QR code of the organization's home page (§2), to scan, to print as a poster, or to download. */
export function QrcodePage({ org, site, cells }: OrgFrame & QrcodeData) {
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
      <EmbedSection org={org} origin={site.publicUrl} />
    </Page>
  );
}

/** HTML that shows the calculator and the totals on another site. */
function EmbedSection({ org, origin }: { org: OrgFrame['org']; origin: string }) {
  const toast = useToast();
  const html = embedHtml(org, origin);
  const copy = () =>
    navigator.clipboard.writeText(html).then(
      () => toast(m.copied()),
      () => toast(m.groupCopyYourself()),
    );
  return (
    <section className={styles.embed} aria-labelledby="embed">
      <h2 id="embed">{m.embedOnSite()}</h2>
      <p>{m.embedOnSiteText({ name: org.name })}</p>
      <textarea readOnly rows={4} wrap="off" aria-labelledby="embed" className={styles.lines} value={html} />
      <Button kind="outline" className={styles.print} onClick={() => void copy()}>
        {m.copy()}
      </Button>
      <p>{m.embedOnSiteOptions()}</p>
      <p>{m.embedOnSitePolicy({ origin })}</p>
    </section>
  );
}

/** Initial height in pixels, until the frame's script reports its real height. */
const FRAME_HEIGHT = 480;

function embedHtml({ id, name }: OrgFrame['org'], origin: string): string {
  const home = origin + inLanguage(pagePath('home-page', { orgid: id }), LANGUAGE);
  const { width, height } = BADGE_SIZE;
  return `<iframe src="${origin}${embedPath(id, LANGUAGE)}" title="${escapeAttribute(m.embedFrameName({ name }))}" width="100%" height="${FRAME_HEIGHT}" loading="lazy"></iframe>
<script src="${origin}${EMBED_SCRIPT}" async></script>
<a href="${home}"><img src="${origin}${badgePath(id, LANGUAGE)}" alt="${escapeAttribute(m.embedBadgeAlt({ name }))}" width="${width}" height="${height}"></a>`;
}

function escapeAttribute(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}

type PosterProps = {
  org: OrgFrame['org'];
  /** In the language of the page. */
  tag: string;
  /** The public origin of the site. */
  publicUrl: string;
};

function Poster({ org, tag, publicUrl }: PosterProps) {
  const home = inLanguage(pagePath('home-page', { orgid: org.id }), LANGUAGE);
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
        <LitStreet street={litStreet(grants)} />
      </div>
    </div>
  );
}
