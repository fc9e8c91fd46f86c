import { QRCodeSVG } from 'qrcode.react';
import { useState } from 'react';
import type { Answer } from '#contract/schemas.ts';
import { browserName } from '#domain/browser-name.ts';
import { PROGRAM_NAME } from '#domain/program-name.ts';
import { PASSKEY_NAME_MAXIMUM, plainAuthenticatorCode } from '#domain/second-factor.ts';
import { saveFile } from '#web/api/save-file.ts';
import { useAttempt } from '#web/api/use-attempt.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { TextField } from '#web/ui/field.tsx';
import { FormDialog } from '#web/ui/form-dialog.tsx';
import { Cluster, Stack } from '#web/ui/layout.tsx';
import styles from './second-step.module.css';

type PasskeyDialogProps = { onAdd: (name: string) => Promise<void>; onClose: () => void };

export function PasskeyDialog({ onAdd, onClose }: PasskeyDialogProps) {
  const [name, setName] = useState(() => browserName(navigator.userAgent));
  const { busy, problem, run } = useAttempt();
  return (
    <FormDialog
      title="Add a passkey"
      confirm="Add"
      busy={busy}
      problem={problem}
      ready={name.trim() !== ''}
      onSubmit={() => void run(() => onAdd(name))}
      onClose={onClose}
    >
      <p>
        Your phone, computer or security key keeps the passkey. You’ll log in with your fingerprint, your face or its
        PIN.
      </p>
      <TextField
        label="Name"
        hint="So that you recognize it later"
        maxLength={PASSKEY_NAME_MAXIMUM}
        autoComplete="off"
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
      />
    </FormDialog>
  );
}

export type AuthenticatorOffer = Answer<'offerAuthenticator'>;
type AuthenticatorDialogProps = {
  offer: AuthenticatorOffer;
  onAdd: (code: string) => Promise<void>;
  onClose: () => void;
};

const QR_SIZE = 180;

export function AuthenticatorDialog({ offer, onAdd, onClose }: AuthenticatorDialogProps) {
  const [code, setCode] = useState('');
  const { busy, problem, run, clear } = useAttempt();
  return (
    <FormDialog
      title="Add an authenticator app"
      confirm="Add"
      busy={busy}
      problem={problem}
      ready={plainAuthenticatorCode(code) !== undefined}
      onSubmit={() => void run(() => onAdd(code))}
      onClose={onClose}
    >
      <p>Scan this with your authenticator app, such as the one in your phone’s password manager.</p>
      <div className={styles.qr}>
        <QRCodeSVG value={offer.address} size={QR_SIZE} marginSize={4} title="QR code for the authenticator app" />
      </div>
      <p>
        Can’t scan it? Type this key into the app: <code className={styles.key}>{grouped(offer.key)}</code>
      </p>
      <TextField
        label="Code"
        hint="The 6 digits that the app shows now"
        name="code"
        autoComplete="one-time-code"
        inputMode="numeric"
        value={code}
        onChange={({ currentTarget }) => {
          setCode(currentTarget.value);
          clear();
        }}
      />
    </FormDialog>
  );
}

/** "ABCD EFGH" */
function grouped(key: string): string {
  return key.replace(/.{4}(?=.)/g, '$& ');
}

type RecoveryCodesDialogProps = { codes: readonly string[]; onClose: () => void };

/** Codes are shown once. */
export function RecoveryCodesDialog({ codes, onClose }: RecoveryCodesDialogProps) {
  const [copied, setCopied] = useState(false);
  const text = `${codes.join('\n')}\n`;
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
  };
  const file = `${PROGRAM_NAME}: recovery codes. Each works once.\n\n${text}`;
  return (
    <Dialog
      title="Your recovery codes"
      open
      onClose={onClose}
      footer={<Button onClick={onClose}>I have saved them</Button>}
    >
      <Stack>
        <p>
          If you lose your device, each of these codes logs you in once. Keep them where nobody else finds them. We
          can’t show them again.
        </p>
        <ul className={styles.codes} aria-label="Recovery codes">
          {codes.map((code) => (
            <li key={code}>
              <code>{code}</code>
            </li>
          ))}
        </ul>
        <Cluster>
          <Button kind="outline" onClick={() => void copy()}>
            {copied ? 'Copied' : 'Copy'}
          </Button>
          <Button kind="outline" onClick={() => saveFile('recovery-codes.txt', file, 'text/plain')}>
            Download
          </Button>
          <Button kind="outline" onClick={() => window.print()}>
            Print
          </Button>
        </Cluster>
        <output className={styles.copied}>{copied && 'Copied to the clipboard.'}</output>
      </Stack>
    </Dialog>
  );
}
