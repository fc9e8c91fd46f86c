import { CALLS, type CallName, type CallParams, callPath } from '#contract/calls.ts';
import type { SignedInPerson } from './sign-in.ts';

export type FormParts<Name extends CallName> = {
  readonly params: CallParams<Name>;
  /** The sender; a visitor by default. */
  readonly as?: Pick<SignedInPerson, 'headers'> | undefined;
  readonly form: FormData;
};

/** Sends a form to a listening server. */
export async function sendForm<Name extends CallName>(
  baseUrl: string,
  name: Name,
  { params, as, form }: FormParts<Name>,
) {
  const response = await fetch(baseUrl + callPath(name, params), {
    method: CALLS[name].method,
    headers: { 'x-requested-with': 'test', ...as?.headers },
    body: form,
  });
  return { status: response.status, body: await response.json() };
}
