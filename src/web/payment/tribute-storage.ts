import type { BodyInput } from '#contract/schemas.ts';
import type { TributeKind } from '#domain/tribute.ts';
import { memoizeByKey } from '#web/browser/memoize-by-key.ts';
import { isRecord, parseJson } from '#web/browser/parse-json.ts';
import { getStoredText, type StoredText } from '#web/browser/stored-text.ts';
import { createStoredValue, useStoredValue } from '#web/browser/stored-value.ts';
import { keepUnexpired } from './last-checkout.ts';

/** An unsent tribute: a gift in honor or memory of someone. */
export type TributeDraft = {
  readonly kind: TributeKind | undefined;
  readonly name: string;
  readonly wantsCard: boolean;
  readonly email: string;
  readonly reader: string;
  readonly message: string;
  readonly signature: string;
};

export const NO_TRIBUTE: TributeDraft = {
  kind: undefined,
  name: '',
  wantsCard: false,
  email: '',
  reader: '',
  message: '',
  signature: '',
};

type StoredTribute = {
  readonly draft: TributeDraft;
  /** Time of the last change or send, in milliseconds since 1970. */
  readonly time: number;
  /** The checkout that the tribute was sent with. If that checkout is canceled, the draft is offered again. */
  readonly checkoutId?: string;
};

/**
 * The donor's unsent draft, shared by tabs and preserved across reloads. It contains other people's data, so it isn't
 * stored longer than a payment page is open.
 */
export function createTributeStorage(storage: StoredText, now: () => number) {
  const { read: readTribute, write, subscribe } = createStoredValue(storage, parseTribute);
  const read = () => keepUnexpired(readTribute(), now());
  return {
    /** The tribute of the next checkout, if there is one. */
    readDraft: (): TributeDraft | undefined => {
      const tribute = read();
      return tribute?.checkoutId === undefined ? tribute?.draft : undefined;
    },
    save: (draft: TributeDraft | undefined) => write(draft && { draft, time: now() }),
    /** Must be called after a checkout is created. */
    markSent: (checkoutId: string) => {
      const tribute = read();
      if (tribute && tribute.checkoutId === undefined) write({ ...tribute, time: now(), checkoutId });
    },
    readSent: (checkoutId: string): TributeDraft | undefined => {
      const tribute = read();
      return tribute?.checkoutId === checkoutId ? tribute.draft : undefined;
    },
    /** Must be called after a checkout is canceled. */
    restore: (checkoutId: string) => {
      const tribute = read();
      if (tribute?.checkoutId === checkoutId) write({ draft: tribute.draft, time: now() });
    },
    /** Must be called when a checkout is paid. Removes the card's recipient and message from this browser. */
    forgetCard: (checkoutId: string) => {
      const tribute = read();
      if (tribute?.checkoutId !== checkoutId || tribute.draft.email === '') return;
      const { kind, name, wantsCard } = tribute.draft;
      write({ ...tribute, draft: { ...NO_TRIBUTE, kind, name, wantsCard } });
    },
    subscribe: (listener: () => void) => {
      // An expired or unreadable tribute is removed from this browser.
      if (storage.read() !== null && !read()) write(undefined);
      return subscribe(listener);
    },
  };
}

/** The stored text is untrusted. */
function parseTribute(text: string | null): StoredTribute | undefined {
  const storedTribute = parseJson(text);
  if (!isRecord(storedTribute)) return undefined;
  const { draft, time, checkoutId } = storedTribute;
  if (!isRecord(draft) || typeof time !== 'number') return undefined;
  const stringOrEmpty = (value: unknown) => (typeof value === 'string' ? value : '');
  return {
    draft: {
      kind: draft.kind === 'honor' || draft.kind === 'memory' ? draft.kind : undefined,
      name: stringOrEmpty(draft.name),
      wantsCard: draft.wantsCard === true,
      email: stringOrEmpty(draft.email),
      reader: stringOrEmpty(draft.reader),
      message: stringOrEmpty(draft.message),
      signature: stringOrEmpty(draft.signature),
    },
    time,
    ...(typeof checkoutId === 'string' ? { checkoutId } : {}),
  };
}

type TributeBody = NonNullable<BodyInput<'createCheckout'>['tribute']>;

/** Converts a draft to the request body's tribute. */
export function toTributeBody({ kind, name, wantsCard, email, reader, message, signature }: TributeDraft): TributeBody {
  return {
    // The form requires a kind.
    kind: kind ?? 'honor',
    name,
    ...(wantsCard ? { card: { email, name: reader, message, signature } } : {}),
  };
}

/** The server never reads a draft, so it can share this object between visitors. */
export const tributeStorage = memoizeByKey((orgId: string) =>
  createTributeStorage(getStoredText(`tribute:${orgId}`), () => Date.now()),
);

export function useTributeDraft(orgId: string): TributeDraft | undefined {
  const { subscribe, readDraft } = tributeStorage(orgId);
  return useStoredValue({ subscribe, read: readDraft }, undefined);
}

/** The tribute that this browser sent with a checkout. */
export function useSentTribute(orgId: string, checkoutId: string): TributeDraft | undefined {
  const { subscribe, readSent } = tributeStorage(orgId);
  return useStoredValue({ subscribe, read: () => readSent(checkoutId) }, undefined);
}
