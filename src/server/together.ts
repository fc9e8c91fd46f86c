type Waiting<Item, Result> = {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
};

/**
 * What comes while the same work is being done is done together, next: one statement and one commit then serve many.
 * What fails together is done again one by one, so that one that cannot be done spoils no other.
 * @param work safe to repeat; its results are in the order of the items
 * @param groupOf only items of a group are done together, and groups do not wait for each other
 */
export function together<Item, Result>(
  work: (items: readonly Item[]) => Promise<readonly Result[]>,
  most: number,
  groupOf: (item: Item) => string = () => '',
): (item: Item) => Promise<Result> {
  const groups = new Map<string, Waiting<Item, Result>[]>();

  const doSome = async (some: readonly Waiting<Item, Result>[]): Promise<void> => {
    try {
      const results = await work(some.map(({ item }) => item));
      for (const [at, { resolve }] of some.entries()) resolve(results[at] as Result);
    } catch (error) {
      if (some.length === 1) some[0]?.reject(error);
      else await Promise.all(some.map((one) => doSome([one])));
    }
  };
  const doGroup = async (group: string, waiting: Waiting<Item, Result>[]): Promise<void> => {
    // Those that come in the same moment go together from the start.
    await Promise.resolve();
    while (waiting.length > 0) await doSome(waiting.splice(0, most));
    groups.delete(group);
  };
  return (item) =>
    new Promise((resolve, reject) => {
      const group = groupOf(item);
      const waiting = groups.get(group);
      if (waiting) {
        waiting.push({ item, resolve, reject });
        return;
      }
      const first = [{ item, resolve, reject }];
      groups.set(group, first);
      void doGroup(group, first);
    });
}
