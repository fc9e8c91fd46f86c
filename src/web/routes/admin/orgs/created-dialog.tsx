import { pagePath } from '#contract/pages.ts';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import styles from './orgs.module.css';

/** An organisation that has just been made, and who edits it first. */
export type CreatedOrg = {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly isInvited: boolean;
};

/** Says what has become of it, and what comes next. */
export function CreatedDialog({ org, onClose }: { org: CreatedOrg; onClose: () => void }) {
  const footer = (
    <>
      <Button kind="outline" onClick={onClose}>
        Close
      </Button>
      <ButtonLink to={pagePath('home-page', { orgid: org.id })}>Open the site</ButtonLink>
    </>
  );
  return (
    <Dialog title={`${org.name} is ready`} open onClose={onClose} footer={footer}>
      <p>
        Its site is open to the public, with texts to begin with. {org.email}{' '}
        {org.isInvited
          ? 'has been invited by mail, and is its editor by signing in with this address.'
          : 'is its editor now.'}
      </p>
      <p className={styles.next}>What its editor does next:</p>
      <ol className={styles.steps}>
        <li>Org settings: upload a header photo, and say whether awardees are shown.</li>
        <li>Edit pages: put your city’s own words in the place of ours.</li>
        <li>Editors: add whoever helps.</li>
      </ol>
    </Dialog>
  );
}
