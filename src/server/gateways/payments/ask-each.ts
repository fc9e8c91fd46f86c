const AT_ONCE = 8;

/** Asks the provider about each item, several at a time, in their order. */
export async function askEach<Item>(items: Iterable<Item>, ask: (item: Item) => Promise<void>): Promise<void> {
  const waiting = [...items].values();
  const askInTurn = async () => {
    for (const item of waiting) await ask(item);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, askInTurn));
}
