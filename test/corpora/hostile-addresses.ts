import { ORG } from './hostile-row.ts';

/** An address that can be sent to anybody, with a text in it that the page reads. */
export type HostileAddress = {
  readonly name: string;
  readonly at: (text: string) => string;
};

const queried = (path: string, name: string): HostileAddress => ({
  name: `${path}?${name}=`,
  at: (text) => `${path}?${new URLSearchParams({ [name]: text })}`,
});

export const HOSTILE_ADDRESSES: readonly HostileAddress[] = [
  queried('/login', 'return_to'),
  queried('/sent-link', 'email'),
  queried('/email-signin', 'code'),
  queried(ORG, 'cancelled'),
  queried(`${ORG}/editor/checkouts`, 'query'),
  { name: `${ORG}#`, at: (text) => `${ORG}#${encodeURIComponent(text)}` },
  { name: '/', at: (text) => `/${encodeURIComponent(text)}` },
  { name: `${ORG}/offsetters/`, at: (text) => `${ORG}/offsetters/${encodeURIComponent(text)}/` },
];
