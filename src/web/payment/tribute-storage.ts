import { useSyncExternalStore } from 'react';
import type { BodyInput } from '#contract/schemas.ts';
import type { TributeKind } from '#domain/tribute.ts';
import { perKey } from '#web/browser/per-key.ts';
import { parsedText, type StoredText, storedText } from '#web/browser/stored-text.ts';

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
  /** When it was last edited or sent, in milliseconds since 1970. */
  readonly time: number;
  /** The checkout it was sent with. If that checkout is canceled, the draft is offered again. */
  readonly checkoutId?: string;
};

/** How long a payment page stays open. The draft contains other people's data, so it isn't stored longer. */
const LIFETIME_MS = 24 * 60 * 60_000;

/** The donor's unsent draft, shared by tabs and preserved across reloads. */
export function createTributeStorage(storage: StoredText, now: () => number) {
  const storedTribute = parsedText(storage, parseTribute);
  const read = (): StoredTribute | undefined => {
    const tribute = storedTribute();
    return tribute && Math.abs(now() - tribute.time) <= LIFETIME_MS ? tribute : undefined;
  };
  const write = (tribute: StoredTribute | undefined) => storage.write(tribute ? JSON.stringify(tribute) : null);
  return {
    /** The tribute of the next checkout, if there is one. */
    draft: (): TributeDraft | undefined => {
      const stored = read();
      return stored?.checkoutId === undefined ? stored?.draft : undefined;
    },
    save: (draft: TributeDraft | undefined) => write(draft && { draft, time: now() }),
    /** Call it after creating a checkout. */
    send: (checkoutId: string) => {
      const stored = read();
      if (stored && stored.checkoutId === undefined) write({ ...stored, time: now(), checkoutId });
    },
    sent: (checkoutId: string): TributeDraft | undefined => {
      const stored = read();
      return stored?.checkoutId === checkoutId ? stored.draft : undefined;
    },
    /** Call after a checkout is canceled. */
    restore: (checkoutId: string) => {
      const stored = read();
      if (stored?.checkoutId === checkoutId) write({ draft: stored.draft, time: now() });
    },
    /** Call it when a checkout is paid. Removes the card's recipient and message from this browser. */
    forgetCard: (checkoutId: string) => {
      const stored = read();
      if (stored?.checkoutId !== checkoutId || stored.draft.email === '') return;
      const { kind, name, wantsCard } = stored.draft;
      write({ ...stored, draft: { ...NO_TRIBUTE, kind, name, wantsCard } });
    },
    subscribe: (listener: () => void) => {
      // An expired or unreadable tribute is removed from this browser.
      if (storage.read() !== null && !read()) storage.write(null);
      return storage.subscribe(listener);
    },
  };
}

/** The stored text is untrusted. */
function parseTribute(text: string | null): StoredTribute | undefined {
  try {
    const stored = JSON.parse(text ?? '') as Partial<StoredTribute>;
    const { draft, time, checkoutId } = stored;
    if (typeof draft !== 'object' || draft === null || typeof time !== 'number') return undefined;
    const textOf = (value: unknown) => (typeof value === 'string' ? value : '');
    return {
      draft: {
        kind: draft.kind === 'honor' || draft.kind === 'memory' ? draft.kind : undefined,
        name: textOf(draft.name),
        wantsCard: draft.wantsCard === true,
        email: textOf(draft.email),
        reader: textOf(draft.reader),
        message: textOf(draft.message),
        signature: textOf(draft.signature),
      },
      time,
      ...(typeof checkoutId === 'string' ? { checkoutId } : {}),
    };
  } catch {
    return undefined;
  }
}

type TributeBody = NonNullable<BodyInput<'createCheckout'>['tribute']>;

/** Converts a draft to the request body's tribute. */
export function tributeOfDraft({
  kind,
  name,
  wantsCard,
  email,
  reader,
  message,
  signature,
}: TributeDraft): TributeBody {
  return {
    // The form requires a kind.
    kind: kind ?? 'honor',
    name,
    ...(wantsCard ? { card: { email, name: reader, message, signature: signature } } : {}),
  };
}

/** The server never reads a draft, so visitors can share this object. */
export const tributeStorage = perKey((orgId: string) =>
  createTributeStorage(storedText(`tribute:${orgId}`), () => Date.now()),
);

export function useTributeDraft(orgId: string): TributeDraft | undefined {
  const { subscribe, draft } = tributeStorage(orgId);
  return useSyncExternalStore(subscribe, draft, () => undefined);
}

/** The tribute that this browser sent with a checkout. */
export function useSentTribute(orgId: string, checkoutId: string): TributeDraft | undefined {
  const { subscribe, sent } = tributeStorage(orgId);
  return useSyncExternalStore(
    subscribe,
    () => sent(checkoutId),
    () => undefined,
  );
}
