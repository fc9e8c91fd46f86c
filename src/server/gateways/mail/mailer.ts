/** `text` and `html` say the same. */
export type Mail = {
  /** One address, already checked: a line break in it would add recipients. */
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** The same for every attempt to send this mail, so that mail programs can drop duplicates. */
  readonly messageKey: string;
};

export type Mailer = {
  /** @throws if the mail was not accepted; the caller's job retries. */
  send(mail: Mail): Promise<void>;
  close(): Promise<void>;
};

export type StoredMail = Mail & { readonly id: string; readonly from: string; readonly sentAt: Date };

/** Replaces SMTP in development; absent in production. */
export type Mailbox = {
  /** Newest first. */
  list(): Promise<readonly StoredMail[]>;
  read(id: string): Promise<StoredMail | undefined>;
};
