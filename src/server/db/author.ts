import { AsyncLocalStorage } from 'node:async_hooks';
import type { UserId } from '#domain/ids.ts';

/** Author of changes, for the activity record. */
export type Author = {
  /** Undefined for a visitor. */
  readonly userId: UserId | undefined;
  /** IP address. */
  readonly ipAddress: string;
};

const currentAuthor = new AsyncLocalStorage<Author>();

/** Attributes every transaction of `work` to this author. */
export function runAsAuthor<T>(author: Author, work: () => Promise<T>): Promise<T> {
  return currentAuthor.run(author, work);
}

export function getCurrentAuthor(): Author | undefined {
  return currentAuthor.getStore();
}
