/** A stored picture: the folder of its files, and their description. */
export type StoredPhoto = {
  readonly key: string;
  readonly width: number;
  readonly height: number;
  /** Encoded widths in pixels, ascending. */
  readonly widths: readonly number[];
};

/** Receipts of test payments have separate numbers. */
export type ReceiptSeries = 'live' | 'test';

export type OperationEvent =
  | 'webhook-verified'
  | 'webhook-rejected'
  | 'books-verification-started'
  | 'books-verified'
  // Number of differences.
  | 'provider-compared'
  // End of the time without a difference, in each payment mode: months before are closed.
  | 'provider-agreed-live'
  | 'provider-agreed-test'
  | 'alarms-checked'
  | 'missed-event-found'
  | 'database-recovered';
