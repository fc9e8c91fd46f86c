/**
 * Limits how long work may take. A later result is ignored.
 * @param onTimeout returns a result to use instead, or throws
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
