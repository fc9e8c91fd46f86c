/** An email. `text` and `html` have the same content. */
export type Email = {
  /** One validated address. A line break could add recipients. */
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** The same for every attempt to send this email, so that email clients can drop duplicates. */
  readonly messageKey: string;
  readonly attachments?: readonly Attachment[];
};

export type Attachment = {
  readonly name: string;
  readonly type: string;
  readonly base64: string;
  /** Set for a picture in the HTML part, which refers to it as `cid:…`. Clients don't list it as a file. */
  readonly contentId?: string;
};

/** The server rejected an email permanently, so a retry is useless. */
export class EmailRejectedError extends Error {
  override readonly name = 'EmailRejectedError';
  /** The server's code, such as 550. */
  readonly code: string;

  constructor(code: string) {
    super('The mail server rejected an email permanently');
    this.code = code;
  }
}

export type Mailer = {
  /** @throws EmailRejectedError after a permanent rejection; any other error is temporary, and the caller's job retries */
  send(email: Email): Promise<void>;
};

export type StoredEmail = Email & { readonly id: string; readonly from: string; readonly sentAt: Date };

/** Replaces SMTP in development. Absent in production. */
export type Mailbox = {
  /** Newest first. */
  list(): Promise<readonly StoredEmail[]>;
  read(id: string): Promise<StoredEmail | undefined>;
};
