import { useState } from 'react';
import { sentenceOf } from '#domain/failures.ts';
import { ApiProblem, OfflineError } from '#web/api/api-error.ts';
import type { ApiClient } from '#web/api/client.ts';
import {
  isPledgeField,
  type Pledge,
  type PledgeField,
  type PledgeForm,
  type PledgeProblems,
  pledgeOf,
} from './pledge-form.ts';

export type PledgeState = {
  readonly sending: boolean;
  /** What to correct in a field. */
  readonly problems: PledgeProblems;
  /** Why the last attempt came to nothing, where that is no field's fault. */
  readonly problem: string | undefined;
  /** Whole dollars, once the pledge is kept. */
  readonly pledged: number | undefined;
};

const START: PledgeState = { sending: false, problems: {}, problem: undefined, pledged: undefined };

/** The pledge of a check: its form, and what has become of it. */
export function usePledge(api: ApiClient, orgid: string, start: PledgeForm) {
  const [form, setForm] = useState(start);
  const [state, setState] = useState(START);
  const change = (field: PledgeField, text: string) => {
    setForm((before) => ({ ...before, [field]: text }));
    setState((before) => ({ ...before, problems: without(before.problems, field) }));
  };
  const send = async (): Promise<PledgeState> => {
    const read = pledgeOf(form);
    if ('problems' in read) return shown({ ...START, problems: read.problems });
    setState({ ...START, sending: true });
    return shown(await outcomeOf(api, orgid, read.pledge));
  };
  const shown = (next: PledgeState) => {
    setState(next);
    return next;
  };
  return { form, ...state, change, send };
}

async function outcomeOf(api: ApiClient, orgid: string, pledge: Pledge): Promise<PledgeState> {
  try {
    const { amount } = await api.call('pledgeCheck', { params: { orgid }, body: pledge });
    return { ...START, pledged: amount };
  } catch (error) {
    if (error instanceof ApiProblem && isPledgeField(error.field)) {
      return { ...START, problems: { [error.field]: error.message } };
    }
    return { ...START, problem: sentence(error) };
  }
}

function without(problems: PledgeProblems, field: PledgeField): PledgeProblems {
  const { [field]: _corrected, ...rest } = problems;
  return rest;
}

const OFFLINE = 'Your pledge could not be sent. Please check your connection and try again.';

function sentence(error: unknown): string {
  if (error instanceof OfflineError) return OFFLINE;
  return error instanceof ApiProblem ? error.message : sentenceOf('server-error');
}
