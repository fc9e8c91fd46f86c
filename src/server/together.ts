type Waiting<Item, Result> = {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
};

/**
 * What comes while the same work is being done is done together, next: one statement and one commit then serve many.
 * What fails together is done again one by one, so that one that cannot be done spoils no other.
 * @param work safe to repeat; its results are in the order of the items
 */
export function together<Item, Result>(
  work: (items: readonly Item[]) => Promise<readonly Result[]>,
  most: number,
): (item: Item) => Promise<Result> {
  const waiting: Waiting<Item, Result>[] = [];
  let isWorking = false;

  const doSome = async (some: readonly Waiting<Item, Result>[]): Promise<void> => {
    try {
      const results = await work(some.map(({ item }) => item));
      for (const [at, { resolve }] of some.entries()) resolve(results[at] as Result);
    } catch (error) {
      if (some.length === 1) some[0]?.reject(error);
      else await Promise.all(some.map((one) => doSome([one])));
    }
  };
  const doAll = async (): Promise<void> => {
    isWorking = true;
    // Those that come in the same moment go together from the start.
    await Promise.resolve();
    while (waiting.length > 0) await doSome(waiting.splice(0, most));
    isWorking = false;
  };
  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (!isWorking) void doAll();
    });
}
