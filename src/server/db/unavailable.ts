import { setTimeout as pause } from 'node:timers/promises';

/**
 * Checks whether the database or a disk is temporarily unavailable: unreachable, full, or too slow. The interrupted work may
 * have been committed.
 */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return isUnreachable(error) || SYSTEM_ERRORS.has(getErrorCode(error)) || BUSY_STATES.test(getErrorCode(error));
}

/** Checks for a rejected or lost connection, and for PostgreSQL stopping, starting, not responding, or rejecting the login. */
export function isUnreachable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = getErrorCode(error);
  if (code === '') return CONNECTION_LOST.test(error.message);
  const isConnecting = 'syscall' in error && error.syscall === 'connect';
  return isConnecting || NETWORK_ERRORS.has(code) || UNREACHABLE_STATES.test(code);
}

/** Thrown if the database is known to be unreachable, so no query was sent, or if it doesn't respond. */
export class UnreachableError extends Error {
  override readonly name = 'UnreachableError';
  readonly code = '08001';
  constructor(message = 'The database is unreachable.') {
    super(message);
  }
}

/** Thrown if the server is a read-only standby, which can't be used until it is promoted. */
export class StandbyError extends UnreachableError {
  constructor() {
    super('the server is a standby, which accepts no writes');
  }
}

function getErrorCode(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : '';
}

// Codes from appendix A of the PostgreSQL manual. Connection exceptions, shutdowns, a transaction that was idle for too
// long, a rejected login, and a missing database, such as during a restore:
const UNREACHABLE_STATES = /^(?:08[0-9A-Z]{3}|57P[0-9A-Z]{2}|25P03|28[0-9A-Z]{3}|3D000)$/;
// Insufficient resources, system errors, a statement or lock that took too long, and a server that became a standby:
const BUSY_STATES = /^(?:53[0-9A-Z]{3}|58[0-9A-Z]{3}|57014|55P03|25006)$/;
const SYSTEM_ERRORS = new Set(['ENOSPC', 'EDQUOT', 'EROFS', 'EIO']);
const NETWORK_ERRORS = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN']);
/** The driver's own errors have no code. The pool can end while a disconnected client's request is still running. */
const CONNECTION_LOST =
  /^(?:Cannot use a pool after calling end|Connection terminated|Client (?:has|was) |timeout (?:exceeded when trying to connect|expired)|Postgres connection has been discarded)/;

const RETRY_INTERVAL_MS = 250;
const MAX_RETRY_MS = 20_000;

/**
 * Retries a write while the database is unavailable, for data that must not be lost. The last try can take longer, up to the
 * time limit of a statement or a lock.
 * @param maxRetryMs 20 seconds by default
 */
export async function retryUntilAvailable<T>(operation: () => Promise<T>, maxRetryMs = MAX_RETRY_MS): Promise<T> {
  const retryUntil = performance.now() + maxRetryMs;
  for (;;) {
    try {
      return await operation();
    } catch (error) {
      if (!isUnavailable(error) || performance.now() > retryUntil) throw error;
    }
    await pause(RETRY_INTERVAL_MS);
  }
}
