import { setTimeout as pause } from 'node:timers/promises';

/**
 * Whether the database or a disk cannot be used for the moment: the connection is refused or was lost, there is no room,
 * or PostgreSQL stops or starts. What was being done may have been committed.
 */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code, syscall, message } = error as Error & { code?: unknown; syscall?: unknown };
  if (typeof code !== 'string') return LOST.test(message);
  return SYSTEM_ERRORS.has(code) || syscall === 'connect' || SQL_STATES.test(code);
}

// PostgreSQL's appendix A: connection exceptions, insufficient resources, shutdowns, system errors.
const SQL_STATES = /^(?:08|53|57P|58)[0-9A-Z]+$/;
const SYSTEM_ERRORS = new Set(['ENOSPC', 'EDQUOT', 'EROFS', 'EIO', 'ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT']);
/** The driver's own errors have no code. */
const LOST = /^(?:Connection terminated|Client (?:has|was) |timeout exceeded when trying to connect)/;

const TRY_EVERY_MS = 250;
const TRIES = 80;

/** Repeats it for 20 seconds while the database is out of reach: for what happened and must not be forgotten. */
export async function onceAvailable<T>(write: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await write();
    } catch (error) {
      if (!isUnavailable(error) || tries === TRIES) throw error;
    }
    await pause(TRY_EVERY_MS);
  }
}
