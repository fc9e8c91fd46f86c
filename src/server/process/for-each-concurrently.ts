import { Failure } from '#domain/failures.ts';

const MAX_CONCURRENT = 8;

/**
 * Calls `work` for each item in order, several at a time. After an error or a Failure, it starts no more calls and waits
 * for the running ones.
 * @returns the first Failure
 */
export async function forEachConcurrently<Item>(
  items: Iterable<Item>,
  work: (item: Item) => Promise<unknown>,
): Promise<Failure | undefined> {
  const queue = [...items].values();
  const problems: unknown[] = [];
  const worker = async () => {
    for (const item of queue) {
      if (problems.length > 0) return;
      try {
        const result = await work(item);
        if (result instanceof Failure) problems.push(result);
      } catch (error) {
        problems.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: MAX_CONCURRENT }, worker));
  const [problem] = problems;
  if (problem === undefined || problem instanceof Failure) return problem;
  throw problem;
}
