/** Why a tribute is refused: sentences that a form says, too, without loading all others. */
export const TRIBUTE_REFUSALS = {
  'no-honored-name': 'Please say in whose honor or memory you give.',
  'text-unprintable': '{what} has characters that can’t be printed.',
  'text-with-address': '{what} can’t have links, email addresses or phone numbers, such as “{address}”.',
  'text-like-address':
    '{what} can’t have links, and “{address}” looks like one. If it is none, put a space after the dot.',
  'tribute-too-long': '{what} has at most {most} characters.',
  'card-message-too-many-lines': 'The message has at most {most} lines.',
} as const satisfies Record<string, string>;
