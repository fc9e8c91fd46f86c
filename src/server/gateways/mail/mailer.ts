/** `text` and `html` say the same. */
export type Mail = {
  /** One address, already checked: a line break in it would add recipients. */
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** The same for every attempt to send this mail, so that mail programs can drop duplicates. */
  readonly messageKey: string;
  readonly attachments?: readonly Attachment[];
};

export type Attachment = { readonly name: string; readonly type: string; readonly base64: string };

/** The mail server will never take this mail: trying again is of no use. */
export class MailRefused extends Error {
  override readonly name = 'MailRefused';
  /** Such as 550. */
  readonly code: string;

  constructor(code: string) {
    super('The mail server refused a mail for good');
    this.code = code;
  }
}

export type Mailer = {
  /** @throws if the mail was not accepted: MailRefused if it never will be, otherwise the caller's job tries again. */
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
