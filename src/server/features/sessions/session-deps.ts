import type { AppDeps } from '#server/deps.ts';

export type SessionDeps = Pick<AppDeps, 'db' | 'identity' | 'jobs' | 'publicUrl' | 'adminEmails' | 'now'>;

/** Who asks, beside what is asked: what limits and sessions go by. */
export type Caller = {
  /** The address of the client. */
  readonly client: string;
  /** What is kept of the session that the browser had before; it ends when another one begins. */
  readonly formerSession: string | undefined;
};
