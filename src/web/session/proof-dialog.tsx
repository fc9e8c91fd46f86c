import { useEffect, useRef, useState } from 'react';
import { createRoot } from 'react-dom/client';
import type { IdentityToken } from '#contract/schemas/session.ts';
import { PROOF_CODE_DIGITS } from '#domain/mailed-links.ts';
import type { ApiClient } from '#web/api/client.ts';
import { useAttempt } from '#web/api/use-attempt.ts';
import { Button } from '#web/ui/button.tsx';
import { TextField } from '#web/ui/field.tsx';
import { FormDialog } from '#web/ui/form-dialog.tsx';
import { PasswordField } from '#web/ui/sign-in-fields.tsx';
import type { Session } from './session.ts';

export type ProofRequest = {
  readonly api: ApiClient;
  readonly person: Session;
  /** Whether nothing else will do, as for a first password. */
  readonly byMail: boolean;
};

/**
 * Asks the person who is logged in to confirm that, over whatever page or dialog is open.
 * @returns a new token; nothing if they would rather not
 */
export function askProof(request: ProofRequest): Promise<IdentityToken | undefined> {
  const place = document.body.appendChild(document.createElement('div'));
  const root = createRoot(place);
  return new Promise((resolve) => {
    const end = (proven?: IdentityToken) => {
      root.unmount();
      place.remove();
      resolve(proven);
    };
    root.render(<ProofDialog {...request} onProven={end} onClose={() => end()} />);
  });
}

type Way = 'password' | 'code';

type ProofDialogProps = ProofRequest & { onProven: (token: IdentityToken) => void; onClose: () => void };

function ProofDialog({ api, person, byMail, onProven, onClose }: ProofDialogProps) {
  const ways = waysOf(person, byMail);
  const [way, setWay] = useState<Way>(ways[0] ?? 'code');
  const [typed, setTyped] = useState('');
  const [isSent, setIsSent] = useState(false);
  const { busy, problem, run, clear } = useAttempt();
  const field = useRef<HTMLInputElement>(null);
  const isRefused = problem !== undefined;
  useEffect(() => {
    if (!busy) field.current?.focus();
  }, [busy]);
  const other = ways.find((each) => each !== way);
  const isAsking = way === 'code' && !isSent;
  const prove = async (body: { password: string } | { code: string }) => onProven(await api.call('prove', { body }));
  const sendCode = async () => {
    await api.call('sendProofCode', {});
    setIsSent(true);
  };
  const submit = () => {
    if (isAsking) return void run(sendCode);
    return void run(() => prove(way === 'password' ? { password: typed } : { code: typed }));
  };
  const change = (text: string) => {
    setTyped(text);
    clear();
  };
  const choose = (chosen: Way) => {
    setWay(chosen);
    change('');
  };
  return (
    <FormDialog
      title="Confirm it’s you"
      confirm={isAsking ? 'Email me a code' : 'Confirm'}
      ready={isAsking || (!isRefused && isComplete(way, typed))}
      busy={busy}
      problem={isAsking ? problem : undefined}
      onSubmit={submit}
      onClose={onClose}
    >
      <p>{sentenceFor(way, isSent, person.email)}</p>
      {way === 'password' && (
        <>
          <input type="hidden" autoComplete="username" value={person.email} />
          <PasswordField
            ref={field}
            label="Password"
            autoComplete="current-password"
            value={typed}
            error={problem}
            onChange={({ currentTarget }) => change(currentTarget.value)}
          />
        </>
      )}
      {way === 'code' && isSent && (
        <TextField
          ref={field}
          label="Code"
          inputMode="numeric"
          autoComplete="one-time-code"
          value={typed}
          error={problem}
          onChange={({ currentTarget }) => change(currentTarget.value)}
        />
      )}
      {way === 'code' && isSent && (
        <Button kind="quiet" disabled={busy} onClick={() => void run(sendCode)}>
          Send another code
        </Button>
      )}
      {other && (
        <Button kind="quiet" disabled={busy} onClick={() => choose(other)}>
          {other === 'password' ? 'Use my password instead' : 'Email me a code instead'}
        </Button>
      )}
    </FormDialog>
  );
}

/** What this person can prove it by, the quickest first. */
function waysOf({ providerData, emailVerified }: Session, byMail: boolean): Way[] {
  const hasPassword = !byMail && providerData.some(({ providerId }) => providerId === 'password');
  return [...(hasPassword ? (['password'] as const) : []), ...(emailVerified ? (['code'] as const) : [])];
}

function isComplete(way: Way, typed: string): boolean {
  if (way === 'password') return typed !== '';
  const digits = typed.replaceAll(/\s/g, '');
  return digits.length === PROOF_CODE_DIGITS && /^\d*$/.test(digits);
}

function sentenceFor(way: Way, isSent: boolean, email: string): string {
  if (way === 'password') return 'Please enter your password once more before this is done.';
  return isSent
    ? `We emailed a code to ${email}. Please enter it before this is done.`
    : `We’ll email a code to ${email}. Please enter it before this is done.`;
}
