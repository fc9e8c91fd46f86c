import styles from './payment.module.css';

/** Says where the payment goes on, for whoever has lost its window. */
export function PaymentOpened({ url }: { url: string }) {
  return (
    <span className={styles.opened}>
      Your payment goes on in another window.{' '}
      <a href={url} target="_blank" rel="noopener">
        Open the payment page
      </a>
    </span>
  );
}
