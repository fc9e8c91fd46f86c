// @spec decisions.5
import { afterAll, expect, test } from 'vitest';
import { Failure } from '#domain/failures.ts';
import { createProcessTexts, type ProcessTextsOptions } from '#server/gateways/texts/process-texts.ts';
import { createLogSpy } from '#test/support/log-spy.ts';

const CRASHING_SCRIPT = new URL('./crashing-renderer.ts', import.meta.url);

function openTexts(options: Partial<ProcessTextsOptions> = {}) {
  const { log, loggedProblems } = createLogSpy();
  const texts = createProcessTexts({ log, ...options });
  afterAll(() => texts.close());
  return { texts, loggedProblems };
}

test('rendering in a separate process produces the same output and errors', async () => {
  // Long enough for a machine that is busy with other work.
  const { texts, loggedProblems } = openTexts({ timeoutSeconds: 60 });
  expect(await texts.render('Our **own** words', 'edith')).toBe('<p>Our <strong>own</strong> words</p>');
  const wideTable = await texts.render(`|${'a|'.repeat(1200)}\n|${'-|'.repeat(1200)}\n${'|\n'.repeat(1200)}`, 'edith');
  expect(wideTable).toMatchObject({ code: 'text-too-many-cells', details: { max: '5,000' } });
  expect(loggedProblems).toEqual([]);
});

test.each(['run forever', 'take all memory', 'exit'])(
  'a text that makes the process %s is rejected, and the next one in line is rendered',
  async (failure) => {
    const { texts, loggedProblems } = openTexts({ script: CRASHING_SCRIPT, timeoutSeconds: 1, memoryMegabytes: 16 });
    const [failedRender, nextRender] = await Promise.all([
      texts.render(failure, 'mallory'),
      texts.render('hello', 'edith'),
    ]);
    expect(failedRender).toMatchObject({ code: 'text-too-slow' });
    // The process doesn't inherit environment variables.
    expect(nextRender).toBe('{}');
    expect(loggedProblems).toHaveLength(1);
  },
);

// @asvs 15.2.2
test('a text waits for at most one text from another writer, and the queue is bounded', async () => {
  const { texts } = openTexts({ script: CRASHING_SCRIPT });
  const order: string[] = [];
  const render = async (writer: string) => {
    const response = await texts.render('hello', writer);
    order.push(response instanceof Failure ? response.code : writer);
  };
  await Promise.all([...Array.from({ length: 20 }, () => render('mallory')), render('edith')]);
  const busyOutcomes = Array<string>(4).fill('too-many-requests');
  expect(order).toEqual([...busyOutcomes, 'mallory', 'edith', ...Array<string>(15).fill('mallory')]);
});

test('a process that can’t start is a server error, not a rejected text', async () => {
  const { texts } = openTexts({ script: new URL('./missing.ts', import.meta.url) });
  await expect(texts.render('hello', 'edith')).rejects.toThrow('did not start: it ended with 1');
});
