import { pagePath } from '#contract/pages.ts';
import { Link } from '#web/navigation/link.tsx';
import styles from './forgot-password.module.css';

/** The way to a new password (§2). */
export function ForgotPassword() {
  return (
    <Link to={pagePath('forgot-password-page', {})} className={styles.link}>
      Forgot password?
    </Link>
  );
}
