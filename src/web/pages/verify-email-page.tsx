import { FAILURES } from '#domain/failures.ts';
import { PROGRAM_NAME } from '#domain/program-name.ts';
import { DocumentTitle, PageTitle } from '../ui/page-title.tsx';
import styles from './message-page.module.css';

type VerifyEmailPageProps = {
  /** Where the way leads once the address is proven. */
  returnTo: string | undefined;
  /** The code of a mailed link. */
  code: string | undefined;
};

/** Says that the address has to be proven first, and takes the proof. */
export function VerifyEmailPage(_props: VerifyEmailPageProps) {
  return (
    <div className={styles.message}>
      <DocumentTitle parts={['Verify your email', PROGRAM_NAME]} />
      <PageTitle>Verify your email</PageTitle>
      <p>{FAILURES['email-unverified'].message}</p>
    </div>
  );
}
