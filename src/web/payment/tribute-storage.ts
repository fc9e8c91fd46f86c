import { useSyncExternalStore } from 'react';
import type { BodyInput } from '#contract/schemas.ts';
import type { TributeKind } from '#domain/tribute.ts';
import { type BrowserText, browserText } from '#web/api/browser-text.ts';

/** In whose honor or memory a donor wants to give, as typed so far. */
export type TributeDraft = {
  readonly kind: TributeKind | undefined;
  readonly name: string;
  readonly wantsCard: boolean;
  readonly email: string;
  readonly reader: string;
  readonly message: string;
  readonly signed: string;
};

export const NO_TRIBUTE: TributeDraft = {
  kind: undefined,
  name: '',
  wantsCard: false,
  email: '',
  reader: '',
  message: '',
  signed: '',
};

type Kept = {
  readonly draft: TributeDraft;
  /** When it was typed or sent, in milliseconds since 1970. */
  readonly time: number;
  /** The checkout that it went with. It is offered again only if that one is canceled. */
  readonly checkoutId?: string;
};

/** As long as a payment page is open: then what was typed about other people is not kept on. */
const LIFE_MS = 24 * 60 * 60_000;

export type TributeStorage = ReturnType<typeof createTributeStorage>;

/** What the donor typed, for all tabs and across reloads: the server tells it to nobody. */
export function createTributeStorage(storage: BrowserText, now: () => number) {
  const listeners = new Set<() => void>();
  let text: string | null = null;
  let kept: Kept | undefined;
  const read = (): Kept | undefined => {
    const current = storage.read();
    // The same object until it changes, as React requires.
    if (current !== text) [text, kept] = [current, keptOfText(current)];
    if (!kept || Math.abs(now() - kept.time) <= LIFE_MS) return kept;
    storage.write(null);
    return undefined;
  };
  const write = (changed: Kept | undefined) => {
    storage.write(changed ? JSON.stringify(changed) : null);
    for (const listener of listeners) listener();
  };
  let stopWatching = () => {};
  return {
    /** What goes with the next checkout, if anything. */
    draft: (): TributeDraft | undefined => {
      const found = read();
      return found?.checkoutId === undefined ? found?.draft : undefined;
    },
    keep: (draft: TributeDraft | undefined) => write(draft && { draft, time: now() }),
    /** To be called when a checkout was made. */
    send: (checkoutId: string) => {
      const found = read();
      if (found && found.checkoutId === undefined) write({ ...found, time: now(), checkoutId });
    },
    sent: (checkoutId: string): TributeDraft | undefined => {
      const found = read();
      return found?.checkoutId === checkoutId ? found.draft : undefined;
    },
    /** To be called when a checkout was canceled. */
    restore: (checkoutId: string) => {
      const found = read();
      if (found?.checkoutId === checkoutId) write({ draft: found.draft, time: now() });
    },
    /** To be called when a checkout is paid: whom the card went to is nothing to leave in a browser. */
    forgetCard: (checkoutId: string) => {
      const found = read();
      if (found?.checkoutId !== checkoutId || found.draft.email === '') return;
      const { kind, name, wantsCard } = found.draft;
      write({ ...found, draft: { ...NO_TRIBUTE, kind, name, wantsCard } });
    },
    subscribe: (listener: () => void) => {
      if (listeners.size === 0)
        stopWatching = storage.watch(() => {
          for (const each of listeners) each();
        });
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0) stopWatching();
      };
    },
  };
}

/** The stored text is not trusted. */
function keptOfText(text: string | null): Kept | undefined {
  try {
    const stored = JSON.parse(text ?? '') as Partial<Kept>;
    const { draft, time, checkoutId } = stored;
    if (typeof draft !== 'object' || draft === null || typeof time !== 'number') return undefined;
    const typed = (value: unknown) => (typeof value === 'string' ? value : '');
    return {
      draft: {
        kind: draft.kind === 'honor' || draft.kind === 'memory' ? draft.kind : undefined,
        name: typed(draft.name),
        wantsCard: draft.wantsCard === true,
        email: typed(draft.email),
        reader: typed(draft.reader),
        message: typed(draft.message),
        signed: typed(draft.signed),
      },
      time,
      ...(typeof checkoutId === 'string' ? { checkoutId } : {}),
    };
  } catch {
    return undefined;
  }
}

type SentTribute = NonNullable<BodyInput<'createCheckout'>['tribute']>;

/** As the server takes it. */
export function tributeOfDraft({ kind, name, wantsCard, email, reader, message, signed }: TributeDraft): SentTribute {
  return {
    // The form asks for one.
    kind: kind ?? 'honor',
    name,
    ...(wantsCard ? { card: { email, name: reader, message, signed } } : {}),
  };
}

const storages = new Map<string, TributeStorage>();

/** A storage holds nothing itself, so the server can share it between visitors. */
export function tributeStorage(orgId: string): TributeStorage {
  const known = storages.get(orgId);
  if (known) return known;
  const storage = createTributeStorage(browserText(`tribute:${orgId}`), () => Date.now());
  storages.set(orgId, storage);
  return storage;
}

export function useTributeDraft(orgId: string): TributeDraft | undefined {
  const { subscribe, draft } = tributeStorage(orgId);
  return useSyncExternalStore(subscribe, draft, () => undefined);
}

/** What this browser sent with a checkout. */
export function useSentTribute(orgId: string, checkoutId: string): TributeDraft | undefined {
  const { subscribe, sent } = tributeStorage(orgId);
  return useSyncExternalStore(
    subscribe,
    () => sent(checkoutId),
    () => undefined,
  );
}
