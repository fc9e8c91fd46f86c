import type { SentBody } from '#contract/schemas.ts';
import { emailFailure, nameFailure } from '#domain/profile.ts';
import { typedDollars } from './donation-form.ts';

export type PledgeField = 'name' | 'email' | 'amount';
/** What stands in the fields of the pledge. */
export type PledgeForm = Readonly<Record<PledgeField, string>>;
export type PledgeProblems = Readonly<Partial<Record<PledgeField, string>>>;

export type Pledge = SentBody<'pledgeCheck'>;

/** The pledge of a check, or what to correct in each field. */
export function pledgeOf(form: PledgeForm): { readonly pledge: Pledge } | { readonly problems: PledgeProblems } {
  const name = form.name.trim();
  const email = form.email.trim();
  const amount = typedDollars(form.amount);
  const wrongName = nameFailure(name);
  const wrongEmail = emailFailure(email);
  if (!wrongName && !wrongEmail && amount.kind === 'dollars')
    return { pledge: { name, email, amount: amount.dollars } };
  return {
    problems: {
      ...(wrongName ? { name: wrongName.message } : {}),
      ...(wrongEmail ? { email: wrongEmail.message } : {}),
      ...(amount.kind === 'problem' ? { amount: amount.problem } : {}),
    },
  };
}

/** Whether a problem's field is one of the form's, so that it can be told beside it. */
export function isPledgeField(field: string | undefined): field is PledgeField {
  return field === 'name' || field === 'email' || field === 'amount';
}
