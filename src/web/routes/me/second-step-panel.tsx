import { useSuspenseQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { SecondFactors } from '#contract/schemas/session.ts';
import type { ResponseBody } from '#contract/schemas.ts';
import { LOW_RECOVERY_CODE_COUNT } from '#domain/second-factor.ts';
import { m } from '#messages';
import { ConfirmDialog } from '#web/forms/confirm-dialog.tsx';
import { useAttempt } from '#web/forms/use-attempt.ts';
import { useApi, useSessionStore } from '#web/session/app-context.ts';
import { createPasskey } from '#web/session/passkeys.ts';
import { Button } from '#web/ui/button.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { KeyIcon } from '#web/ui/key-icon.tsx';
import { Cluster, ItemList, ItemRow, Stack } from '#web/ui/layout.tsx';
import { formatLocalDate, formatLocalDateTime } from '#web/ui/local-time.ts';
import { Problem } from '#web/ui/problem.tsx';
import { secondFactorsQuery } from './route.ts';
import styles from './second-step.module.css';
import {
  AuthenticatorDialog,
  type AuthenticatorOffer,
  PasskeyDialog,
  RecoveryCodesDialog,
} from './second-step-dialogs.tsx';

type PasskeyOffer = ResponseBody<'offerPasskey'>;

/** The factor to remove. */
type Removal = { readonly passkeyId: string; readonly name: string } | 'authenticator';
type SecondStepDialogContent =
  | { readonly kind: 'passkey'; readonly offer: PasskeyOffer }
  | { readonly kind: 'authenticator'; readonly offer: AuthenticatorOffer }
  | { readonly kind: 'remove'; readonly removal: Removal }
  | { readonly kind: 'renew-codes' }
  | { readonly kind: 'codes'; readonly codes: readonly string[] };

/** The account's second factors: passkeys, an authenticator app, and recovery codes. */
export function SecondStepPanel() {
  const api = useApi();
  const { data: factors } = useSuspenseQuery(secondFactorsQuery(api));
  const [dialog, setDialog] = useState<SecondStepDialogContent>();
  const { passkeys, authenticatorTimestamp, remainingRecoveryCodes } = factors;
  const count = passkeys.length + (authenticatorTimestamp === null ? 0 : 1);
  const { run, busy, problem } = useAttempt();
  const addPasskey = async () => setDialog({ kind: 'passkey', offer: await api.call('offerPasskey', {}) });
  const addAuthenticator = async () =>
    setDialog({ kind: 'authenticator', offer: await api.call('offerAuthenticator', {}) });
  return (
    <Stack>
      <p className={styles.lead}>{count === 0 ? m.secondStepWhy() : m.secondStepHave()}</p>
      <RemovalNotice factors={factors} />
      {count > 0 && (
        <ItemList className={styles.factors}>
          {passkeys.map(({ id, name, createdTimestamp, lastUsedTimestamp }) => (
            <ItemRow
              key={id}
              title={name}
              facts={
                lastUsedTimestamp === null
                  ? m.passkeyAdded({ day: formatLocalDate(createdTimestamp) })
                  : m.passkeyUsed({ day: formatLocalDate(lastUsedTimestamp) })
              }
              actions={
                <RemoveButton
                  factorName={name}
                  onClick={() => setDialog({ kind: 'remove', removal: { passkeyId: id, name } })}
                />
              }
            />
          ))}
          {authenticatorTimestamp !== null && (
            <ItemRow
              title={m.authenticatorApp()}
              facts={m.authenticatorAdded({ day: formatLocalDate(authenticatorTimestamp) })}
              actions={
                <RemoveButton
                  factorName={m.authenticatorAppInside()}
                  onClick={() => setDialog({ kind: 'remove', removal: 'authenticator' })}
                />
              }
            />
          )}
          <ItemRow
            title={m.recoveryCodes()}
            facts={<CodesLeft count={remainingRecoveryCodes} />}
            actions={
              <Button kind="outline" onClick={() => setDialog({ kind: 'renew-codes' })}>
                {m.recoveryCodesRenew()}
              </Button>
            }
          />
        </ItemList>
      )}
      <Cluster>
        <Button kind={count === 0 ? 'dark' : 'outline'} busy={busy} onClick={() => void run(addPasskey)}>
          <KeyIcon /> {m.passkeyAdd()}
        </Button>
        {authenticatorTimestamp === null && (
          <Button kind="outline" busy={busy} onClick={() => void run(addAuthenticator)}>
            {m.authenticatorAdd()}
          </Button>
        )}
      </Cluster>
      <Problem>{problem}</Problem>
      {dialog && <SecondStepDialog dialog={dialog} isLast={count === 1} onChange={setDialog} />}
    </Stack>
  );
}

type SecondStepDialogProps = {
  dialog: SecondStepDialogContent;
  /** True if the account has only one factor. */
  isLast: boolean;
  onChange: (dialog: SecondStepDialogContent | undefined) => void;
};

function SecondStepDialog({ dialog, isLast, onChange }: SecondStepDialogProps) {
  const api = useApi();
  const session = useSessionStore();
  const close = () => onChange(undefined);
  const finish = async () => {
    close();
    // A person's permissions can depend on the second step.
    await session.refreshClaims();
  };
  // Shows a first factor's codes before finishing, because finishing can change permissions, which reloads the page.
  const finishAdding = async ({ recoveryCodes }: { recoveryCodes: readonly string[] }) =>
    recoveryCodes.length > 0 ? onChange({ kind: 'codes', codes: recoveryCodes }) : finish();
  switch (dialog.kind) {
    case 'passkey': {
      const { offer, options } = dialog.offer;
      const add = async (name: string) => {
        const passkey = await createPasskey(options);
        await finishAdding(await api.call('addPasskey', { body: { offer, name, passkey } }));
      };
      return <PasskeyDialog onAdd={add} onClose={close} />;
    }
    case 'authenticator': {
      const { offer } = dialog.offer;
      const add = async (code: string) => finishAdding(await api.call('addAuthenticator', { body: { offer, code } }));
      return <AuthenticatorDialog offer={dialog.offer} onAdd={add} onClose={close} />;
    }
    case 'remove': {
      const { removal } = dialog;
      const remove = async () => {
        if (removal === 'authenticator') await api.call('removeAuthenticator', {});
        else await api.call('removePasskey', { params: { passkeyid: removal.passkeyId } });
        await finish();
      };
      return <RemoveDialog removal={removal} isLast={isLast} onRemove={remove} onClose={close} />;
    }
    case 'renew-codes': {
      const renew = async () => finishAdding(await api.call('renewRecoveryCodes', {}));
      return <NewCodesDialog onCreate={renew} onClose={close} />;
    }
    case 'codes':
      return <RecoveryCodesDialog codes={dialog.codes} onClose={() => void finish()} />;
  }
}

function RemovalNotice({ factors: { removalTimestamp } }: { factors: SecondFactors }) {
  if (removalTimestamp === null) return null;
  return <Problem>{m.secondStepEnds({ time: formatLocalDateTime(removalTimestamp) })}</Problem>;
}

function CodesLeft({ count }: { count: number }) {
  if (count > LOW_RECOVERY_CODE_COUNT) return m.recoveryCodesLeft({ count });
  return <strong className={styles.fewLeft}>{m.recoveryCodesFew({ count })}</strong>;
}

function RemoveButton({ factorName, onClick }: { factorName: string; onClick: () => void }) {
  return (
    <Button kind="remove" aria-label={m.removeWhat({ item: factorName })} onClick={onClick}>
      <Icon name="trash" /> {m.remove()}
    </Button>
  );
}

type NewCodesDialogProps = { onCreate: () => Promise<void>; onClose: () => void };

function NewCodesDialog({ onCreate, onClose }: NewCodesDialogProps) {
  return (
    <ConfirmDialog
      title={m.recoveryCodesNew()}
      confirmLabel={m.recoveryCodesMake()}
      onConfirm={onCreate}
      onClose={onClose}
    >
      <p>{m.recoveryCodesFormer()}</p>
    </ConfirmDialog>
  );
}

type RemoveDialogProps = {
  removal: Removal;
  isLast: boolean;
  onRemove: () => Promise<void>;
  onClose: () => void;
};

function RemoveDialog({ removal, isLast, onRemove, onClose }: RemoveDialogProps) {
  return (
    <ConfirmDialog
      title={isLast ? m.secondStepRemove() : m.remove()}
      confirmLabel={m.remove()}
      destructive
      onConfirm={onRemove}
      onClose={onClose}
    >
      <Stack>
        <p>{removal === 'authenticator' ? m.authenticatorRemoveText() : m.passkeyRemoveText({ name: removal.name })}</p>
        {isLast && <p>{m.secondStepRemoveText()}</p>}
      </Stack>
    </ConfirmDialog>
  );
}
