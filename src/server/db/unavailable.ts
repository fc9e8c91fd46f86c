import { setTimeout as pause } from 'node:timers/promises';

/**
 * Checks for temporary unavailability of the database or a disk: it is unreachable, full, or too slow. The interrupted work
 * may have been committed.
 */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return isOutOfReach(error) || SYSTEM_ERRORS.has(codeOf(error)) || SQL_STATES.test(codeOf(error));
}

/** @returns whether a connection was rejected or lost, or PostgreSQL is stopping, starting, silent, or rejecting the login */
export function isOutOfReach(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = codeOf(error);
  if (code === '') return LOST.test(error.message);
  const isConnecting = 'syscall' in error && error.syscall === 'connect';
  return isConnecting || NETWORK_ERRORS.has(code) || UNREACHED.test(code);
}

/** The database is known to be unreachable and was not asked, or doesn't respond. */
export class OutOfReachError extends Error {
  override readonly name = 'OutOfReachError';
  readonly code = '08001';
  constructor(message = 'The database is out of reach.') {
    super(message);
  }
}

function codeOf(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : '';
}

// PostgreSQL's appendix A. Connection exceptions, shutdowns, a transaction that was idle for too long, a rejected login, a
// missing database, as during a restore:
const UNREACHED = /^(?:08[0-9A-Z]{3}|57P[0-9A-Z]{2}|25P03|28[0-9A-Z]{3}|3D000)$/;
// Insufficient resources, system errors, a statement or lock that took too long:
const SQL_STATES = /^(?:53[0-9A-Z]{3}|58[0-9A-Z]{3}|57014|55P03)$/;
const SYSTEM_ERRORS = new Set(['ENOSPC', 'EDQUOT', 'EROFS', 'EIO']);
const NETWORK_ERRORS = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN']);
/** The driver's own errors have no code. */
const LOST =
  /^(?:Connection terminated|Client (?:has|was) |timeout (?:exceeded when trying to connect|expired)|Postgres connection has been discarded)/;

const RETRY_INTERVAL_MS = 250;
const MAX_TRIES = 80;

/** Retries for 20 seconds while the database is unreachable, for facts that must not get lost. */
export async function onceAvailable<T>(write: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await write();
    } catch (error) {
      if (!isUnavailable(error) || tries === MAX_TRIES) throw error;
    }
    await pause(RETRY_INTERVAL_MS);
  }
}
