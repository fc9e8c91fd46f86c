import { pagePath } from '#contract/pages.ts';
import type { Org } from '#contract/schemas/orgs.ts';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { dayText } from '#web/ui/text.ts';
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx';
import styles from './orgs.module.css';

type OrgRowProps = { org: Org; onSetSlug: () => void };

/** One of the organisations, for admins: open it, its editors, or set its slug (§2, §6). */
export function OrgRow({ org, onSetSlug }: OrgRowProps) {
  const params = { orgid: org.id };
  return (
    <li className={styles.org}>
      <div className={styles.about}>
        <h2 className={styles.name}>{org.name}</h2>
        <p className={styles.facts}>
          /{org.slug} · since {dayText(org.createdTimestamp)}
          {org.isSample && ' · sample'}
        </p>
      </div>
      <div className={styles.actions}>
        <ButtonLink kind="outline" to={pagePath('home-page', params)}>
          Open<VisuallyHidden> {org.name}</VisuallyHidden>
        </ButtonLink>
        <ButtonLink kind="outline" to={pagePath('editors-page', params)}>
          Editors<VisuallyHidden> of {org.name}</VisuallyHidden>
        </ButtonLink>
        <Button kind="outline" onClick={onSetSlug}>
          Set slug<VisuallyHidden> of {org.name}</VisuallyHidden>
        </Button>
      </div>
    </li>
  );
}
