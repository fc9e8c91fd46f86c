import type { Org } from '#contract/schemas/orgs.ts';
import type { Site } from '#contract/schemas/site.ts';
import { PROGRAM_NAME } from '#domain/program-name.ts';
import { Link } from '#web/navigation/link.tsx';
import styles from './footer.module.css';
import { footerLinks } from './org-links.ts';

/** The foot of every page: whose program this is (§1), and where to read more. */
export function Footer({ org, site }: { org: Org | undefined; site: Site | undefined }) {
  return (
    <footer className={styles.footer} data-dark>
      <div className={styles.row}>
        <p>
          {PROGRAM_NAME} is a program of {site?.parentName ?? 'a parent civic organization'}.
        </p>
        {org && (
          <nav aria-label="Footer" className={styles.links}>
            {footerLinks(org).map(({ label, to }) => (
              <Link key={label} to={to} className={styles.link}>
                {label}
              </Link>
            ))}
          </nav>
        )}
      </div>
    </footer>
  );
}
