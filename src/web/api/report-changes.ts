import { CALLS, type CallName } from '#contract/calls.ts';
import type { ApiClient } from './client.ts';

/** Wraps the API client so that `onChange` runs after every call that has changed data. */
export function withChangeListener(api: ApiClient, onChange: () => void): ApiClient {
  const report = async <Result>(name: CallName, pending: Promise<Result>): Promise<Result> => {
    const result = await pending;
    if (changesData(name)) onChange();
    return result;
  };
  return {
    ...api,
    call: (name, input) => report(name, api.call(name, input)),
    upload: (name, input) => report(name, api.upload(name, input)),
  };
}

function changesData(name: CallName): boolean {
  const { method, changes = true }: { readonly method: string; readonly changes?: boolean } = CALLS[name];
  return method !== 'GET' && changes;
}
