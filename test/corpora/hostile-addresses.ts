import { ORG_PATH } from './hostile-row.ts';

/** An address that passes hostile text to its page. Anyone can be tricked into opening such an address. */
export type HostileAddress = {
  readonly name: string;
  readonly buildAddress: (text: string) => string;
};

const queryAddress = (path: string, name: string): HostileAddress => ({
  name: `${path}?${name}=`,
  buildAddress: (text) => `${path}?${new URLSearchParams({ [name]: text })}`,
});

export const HOSTILE_ADDRESSES: readonly HostileAddress[] = [
  queryAddress('/login', 'return_to'),
  queryAddress('/sent-link', 'email'),
  queryAddress('/email-signin', 'code'),
  queryAddress(ORG_PATH, 'cancelled'),
  queryAddress(`${ORG_PATH}/editor/checkouts`, 'query'),
  { name: `${ORG_PATH}#`, buildAddress: (text) => `${ORG_PATH}#${encodeURIComponent(text)}` },
  { name: '/', buildAddress: (text) => `/${encodeURIComponent(text)}` },
  { name: `${ORG_PATH}/offsetters/`, buildAddress: (text) => `${ORG_PATH}/offsetters/${encodeURIComponent(text)}/` },
];
