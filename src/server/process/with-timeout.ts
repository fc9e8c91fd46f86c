/**
 * Limits the time of work. A later result is ignored.
 * @param onTimeout returns the result in place of the work's, or throws
 */
export async function withTimeout<Result, LateResult>(
  work: Promise<Result>,
  milliseconds: number,
  onTimeout: () => LateResult,
): Promise<Result | LateResult> {
  const { promise: timeout, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, milliseconds);
  try {
    return await Promise.race([work, timeout.then(onTimeout)]);
  } finally {
    clearTimeout(timer);
  }
}
