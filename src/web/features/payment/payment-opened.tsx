import styles from './payment.module.css';

/** Says where the payment goes on, for whoever has lost its window. */
export function PaymentOpened({ url }: { url: string }) {
  return (
    <span className={styles.opened}>
      Your payment page opened in a new window.{' '}
      <a href={url} target="_blank" rel="noopener">
        Open it again
      </a>
    </span>
  );
}
