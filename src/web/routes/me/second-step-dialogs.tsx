import { QRCodeSVG } from 'qrcode.react';
import { useEffect, useRef, useState } from 'react';
import type { ResponseBody } from '#contract/schemas.ts';
import { browserName } from '#domain/browser-name.ts';
import { MAX_PASSKEY_NAME_LENGTH, parseAuthenticatorCode } from '#domain/second-factor.ts';
import { SITE_NAME } from '#domain/site-name.ts';
import { m } from '#messages';
import { saveFile } from '#web/browser/save-file.ts';
import { FormDialog } from '#web/forms/form-dialog.tsx';
import { useForm } from '#web/forms/use-form.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { TextField } from '#web/ui/field.tsx';
import { Cluster, Stack } from '#web/ui/layout.tsx';
import { RichText } from '#web/ui/rich-text.tsx';
import { useToast } from '#web/ui/toast.tsx';
import styles from './second-step.module.css';

type PasskeyDialogProps = { onAdd: (name: string) => Promise<void>; onClose: () => void };

export function PasskeyDialog({ onAdd, onClose }: PasskeyDialogProps) {
  const form = useForm({ initial: { name: browserName(navigator.userAgent) }, fields: [] });
  const { name } = form.values;
  return (
    <FormDialog
      title={m.passkeyAdd()}
      confirmLabel={m.add()}
      ready={name.trim() !== ''}
      form={form}
      onSubmit={() => onAdd(name)}
      onClose={onClose}
    >
      <p>{m.passkeyAddText()}</p>
      <TextField
        label={m.name()}
        hint={m.passkeyNameHint()}
        maxLength={MAX_PASSKEY_NAME_LENGTH}
        autoComplete="off"
        {...form.fieldProps('name')}
      />
    </FormDialog>
  );
}

export type AuthenticatorOffer = ResponseBody<'offerAuthenticator'>;
type AuthenticatorDialogProps = {
  offer: AuthenticatorOffer;
  onAdd: (code: string) => Promise<void>;
  onClose: () => void;
};

const QR_SIZE = 180;

export function AuthenticatorDialog({ offer, onAdd, onClose }: AuthenticatorDialogProps) {
  const form = useForm({ initial: { code: '' }, fields: [] });
  const { code } = form.values;
  return (
    <FormDialog
      title={m.authenticatorAdd()}
      confirmLabel={m.add()}
      ready={parseAuthenticatorCode(code) !== undefined}
      form={form}
      onSubmit={() => onAdd(code)}
      onClose={onClose}
    >
      <p>{m.authenticatorScan()}</p>
      <div className={styles.qr}>
        <QRCodeSVG value={offer.address} size={QR_SIZE} marginSize={4} title={m.authenticatorQrCode()} />
      </div>
      <p>
        <RichText
          text={m.authenticatorKey({ key: groupByFour(offer.key) })}
          tags={{ key: (words) => <code className={styles.key}>{words}</code> }}
        />
      </p>
      <TextField
        label={m.code()}
        hint={m.authenticatorCodeHint()}
        autoComplete="one-time-code"
        inputMode="numeric"
        {...form.fieldProps('code')}
      />
    </FormDialog>
  );
}

/** "ABCD EFGH" */
function groupByFour(key: string): string {
  return key.replace(/.{4}(?=.)/g, '$& ');
}

type RecoveryCodesDialogProps = { codes: readonly string[]; onClose: () => void };

/** Shows new recovery codes, which can't be shown again. */
export function RecoveryCodesDialog({ codes, onClose }: RecoveryCodesDialogProps) {
  const toast = useToast();
  const [isCopied, setIsCopied] = useState(false);
  const copyButton = useRef<HTMLButtonElement>(null);
  // Focuses Copy instead of the Close button, because pressing Enter too early would lose the codes.
  useEffect(() => copyButton.current?.focus(), []);
  const text = `${codes.join('\n')}\n`;
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setIsCopied(true);
    } catch {
      toast(m.recoveryCodesNotCopied());
    }
  };
  const file = `${m.recoveryCodesFile({ program: SITE_NAME })}\n\n${text}`;
  return (
    <Dialog
      title={m.recoveryCodesYours()}
      closesOnBackdropClick={false}
      onClose={onClose}
      footer={<Button onClick={onClose}>{m.recoveryCodesSaved()}</Button>}
    >
      <Stack>
        <p>{m.recoveryCodesText()}</p>
        <ul className={styles.codes} aria-label={m.recoveryCodes()}>
          {codes.map((code) => (
            <li key={code}>
              <code>{code}</code>
            </li>
          ))}
        </ul>
        <Cluster>
          <Button ref={copyButton} kind="outline" onClick={() => void copy()}>
            {isCopied ? m.copied() : m.copy()}
          </Button>
          <Button kind="outline" onClick={() => saveFile('recovery-codes.txt', file, 'text/plain')}>
            {m.download()}
          </Button>
          <Button kind="outline" onClick={() => window.print()}>
            {m.print()}
          </Button>
        </Cluster>
        <output className={styles.copied}>{isCopied && m.copiedToClipboard()}</output>
      </Stack>
    </Dialog>
  );
}
