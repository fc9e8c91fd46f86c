const MAX_CONCURRENT = 8;

/** Asks the provider about each item in order, several at a time. */
export async function askEach<Item>(items: Iterable<Item>, ask: (item: Item) => Promise<void>): Promise<void> {
  const queue = [...items].values();
  const worker = async () => {
    for (const item of queue) await ask(item);
  };
  await Promise.all(Array.from({ length: MAX_CONCURRENT }, worker));
}
