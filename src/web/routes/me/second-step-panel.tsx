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
type OpenDialog =
  | 'codes'
  | { readonly passkey: PasskeyOffer }
  | { readonly offer: AuthenticatorOffer }
  | { readonly remove: Removal }
  | { readonly newCodes: readonly string[] };

/** The account's second factors: passkeys, an authenticator app, and recovery codes. */
export function SecondStepPanel() {
  const session = useSessionStore();
  const { data: factors } = useSuspenseQuery(secondFactorsQuery(useApi()));
  const [dialog, setDialog] = useState<OpenDialog>();
  const actions = useSecondStepActions();
  const close = () => setDialog(undefined);
  const { passkeys, authenticatorTimestamp, remainingRecoveryCodes } = factors;
  const count = passkeys.length + (authenticatorTimestamp === null ? 0 : 1);
  const { run, busy, problem } = useAttempt();
  const addPasskey = async () => setDialog({ passkey: await actions.offerPasskey() });
  const addAuthenticator = async () => setDialog({ offer: await actions.offerAuthenticator() });
  const finish = async () => {
    close();
    // A person's permissions can depend on the second step.
    await session.refreshClaims();
  };
  // Shows the recovery codes first, because finishing can change permissions, which reloads the page.
  const finishAdding = async (codes: readonly string[]) =>
    codes.length > 0 ? setDialog({ newCodes: codes }) : finish();
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
                <RemoveButton factorName={name} onClick={() => setDialog({ remove: { passkeyId: id, name } })} />
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
                  onClick={() => setDialog({ remove: 'authenticator' })}
                />
              }
            />
          )}
          <ItemRow
            title={m.recoveryCodes()}
            facts={<CodesLeft count={remainingRecoveryCodes} />}
            actions={
              <Button kind="outline" onClick={() => setDialog('codes')}>
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
      {typeof dialog === 'object' && 'passkey' in dialog && (
        <PasskeyDialog
          onAdd={async (name) => finishAdding(await actions.addPasskey(dialog.passkey, name))}
          onClose={close}
        />
      )}
      {dialog === 'codes' && (
        <NewCodesDialog onCreate={async () => finishAdding(await actions.renewRecoveryCodes())} onClose={close} />
      )}
      {typeof dialog === 'object' && 'offer' in dialog && (
        <AuthenticatorDialog
          offer={dialog.offer}
          onAdd={async (code) => finishAdding(await actions.addAuthenticator({ offer: dialog.offer.offer, code }))}
          onClose={close}
        />
      )}
      {typeof dialog === 'object' && 'newCodes' in dialog && (
        <RecoveryCodesDialog codes={dialog.newCodes} onClose={() => void finish()} />
      )}
      {typeof dialog === 'object' && 'remove' in dialog && (
        <RemoveDialog
          removal={dialog.remove}
          isLast={count === 1}
          onRemove={async () => {
            await actions.remove(dialog.remove);
            await finish();
          }}
          onClose={close}
        />
      )}
    </Stack>
  );
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
    <Button kind="remove" aria-label={m.removeWhat({ what: factorName })} onClick={onClick}>
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

/** Each action throws the API's error. Adding the first factor returns recovery codes. */
function useSecondStepActions() {
  const api = useApi();
  return {
    offerAuthenticator: () => api.call('offerAuthenticator', {}),
    addAuthenticator: async (body: { offer: string; code: string }) => {
      const { recoveryCodes } = await api.call('addAuthenticator', { body });
      return recoveryCodes;
    },
    offerPasskey: () => api.call('offerPasskey', {}),
    addPasskey: async ({ options, offer }: PasskeyOffer, name: string) => {
      const passkey = await createPasskey(options);
      const { recoveryCodes } = await api.call('addPasskey', { body: { offer, name, passkey } });
      return recoveryCodes;
    },
    renewRecoveryCodes: async () => (await api.call('renewRecoveryCodes', {})).recoveryCodes,
    remove: async (removal: Removal) => {
      if (removal === 'authenticator') await api.call('removeAuthenticator', {});
      else await api.call('removePasskey', { params: { passkeyid: removal.passkeyId } });
    },
  };
}
