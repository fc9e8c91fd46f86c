/** A mail as it leaves the program: both parts say the same. */
export type Mail = {
  /** One address, checked before it comes here: a line break in it would reach other people. */
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** The same for every try at the same mail, so that a repeated one can be told. */
  readonly messageKey: string;
};

export type Mailer = {
  /** @throws when the mail was not taken; the caller's job tries again. */
  send(mail: Mail): Promise<void>;
  close(): Promise<void>;
};

/** A mail in the development mailbox. */
export type StoredMail = Mail & { readonly id: string; readonly from: string; readonly sentAt: Date };

/** The mailbox that stands in for SMTP in development; not there in production. */
export type Mailbox = {
  /** Newest first. */
  list(): Promise<readonly StoredMail[]>;
  read(id: string): Promise<StoredMail | undefined>;
};
