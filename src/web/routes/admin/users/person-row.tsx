import type { User } from '#contract/schemas/users.ts';
import { Button } from '#web/ui/button.tsx';
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx';
import styles from './people.module.css';

type PersonRowProps = {
  person: User;
  /** Whether it is the admin who looks. */
  isSelf: boolean;
  onChangeAdmin: () => void;
};

/** One of the people who have an account, for admins. */
export function PersonRow({ person, isSelf, onChangeAdmin }: PersonRowProps) {
  const { displayName, email, emailVerified, admin } = person;
  const called = displayName || email;
  return (
    <li className={styles.person}>
      <div className={styles.who}>
        <p className={styles.name}>
          {called}
          {isSelf && <span className={styles.self}> (you)</span>}
        </p>
        {displayName !== '' && <p className={styles.email}>{email}</p>}
      </div>
      <p className={styles.marks}>
        <span className={emailVerified ? styles.mark : styles.warning}>
          {emailVerified ? 'Verified' : 'Not verified'}
        </span>
        {admin && <span className={styles.admin}>Admin</span>}
      </p>
      <Button kind="outline" onClick={onChangeAdmin}>
        {admin ? 'Revoke admin' : 'Make admin'}
        <VisuallyHidden>: {called}</VisuallyHidden>
      </Button>
    </li>
  );
}
