import { CALLS, type CallName } from '#contract/calls.ts';
import type { ApiClient } from './client.ts';

/** Calls that are not GET but after which loaded data stays. */
const NO_CHANGE: readonly CallName[] = [
  'searchCheckouts',
  'sumCheckouts',
  'previewCell',
  'checkSettings',
  'offerAuthenticator',
  'offerPasskey',
  // They end or replace the session, whose token can't read anything afterwards.
  'changePassword',
  'deleteUser',
];

/** Wraps the API client so that `onChange` runs after every call that has changed data. */
export function reportChanges(api: ApiClient, onChange: () => void): ApiClient {
  const report = async <Result>(name: CallName, pending: Promise<Result>): Promise<Result> => {
    const result = await pending;
    if (CALLS[name].method !== 'GET' && !NO_CHANGE.includes(name)) onChange();
    return result;
  };
  return {
    ...api,
    call: (name, input) => report(name, api.call(name, input)),
    upload: (name, input) => report(name, api.upload(name, input)),
  };
}
