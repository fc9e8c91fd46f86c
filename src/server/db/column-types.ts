/** A stored photo: the folder that contains its files, and their dimensions. */
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
  | 'books-verified'
  // The event's count is the number of differences.
  | 'provider-compared-live'
  | 'provider-compared-test'
  // Time up to which the books match the provider, per payment mode. Earlier months are closed.
  | 'provider-agreed-live'
  | 'provider-agreed-test'
  | 'alarms-checked'
  | 'missed-event-found'
  | 'database-recovered'
  // A recurring job has failed in every run of the last hour.
  | 'recurring-job-failing';
