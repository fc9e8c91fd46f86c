// @spec decisions.5
import { expect, onTestFinished, test } from 'vitest';
import { Failure } from '#domain/failures.ts';
import { createRendererProcess, type RendererProcessOptions } from '#server/gateways/markdown/renderer-process.ts';
import { createLogSpy } from '#test/support/log-spy.ts';

const CRASHING_SCRIPT = new URL('./crashing-renderer.ts', import.meta.url);

function openRenderer(options: Partial<RendererProcessOptions> = {}) {
  const { log, loggedProblems } = createLogSpy();
  const renderer = createRendererProcess({ log, ...options });
  onTestFinished(() => renderer.close());
  return { renderer, loggedProblems };
}

test('rendering in a separate process produces the same output and errors', async () => {
  // Long enough for a machine that is busy with other work.
  const { renderer, loggedProblems } = openRenderer({ timeoutSeconds: 60 });
  expect(await renderer.render('Our **own** words', 'edith')).toBe('<p>Our <strong>own</strong> words</p>');
  const wideTable = await renderer.render(
    `|${'a|'.repeat(1200)}\n|${'-|'.repeat(1200)}\n${'|\n'.repeat(1200)}`,
    'edith',
  );
  expect(wideTable).toMatchObject({ code: 'text-too-many-cells', details: { max: '5,000' } });
  expect(loggedProblems).toEqual([]);
});

test.each(['run forever', 'take all memory', 'exit'])(
  'Markdown that makes the process %s is rejected, and the next request is rendered',
  async (failure) => {
    const { renderer, loggedProblems } = openRenderer({
      script: CRASHING_SCRIPT,
      timeoutSeconds: 1,
      memoryMegabytes: 16,
    });
    const [failedRender, nextRender] = await Promise.all([
      renderer.render(failure, 'mallory'),
      renderer.render('hello', 'edith'),
    ]);
    expect(failedRender).toMatchObject({ code: 'text-not-rendered' });
    // The process doesn't inherit environment variables.
    expect(nextRender).toBe('{}');
    expect(loggedProblems).toHaveLength(1);
  },
);

// @asvs 15.2.2
test('a request waits for at most one request from another author, and the queue is bounded', async () => {
  const { renderer } = openRenderer({ script: CRASHING_SCRIPT });
  const order: string[] = [];
  const render = async (authorId: string) => {
    const response = await renderer.render('hello', authorId);
    order.push(response instanceof Failure ? response.code : authorId);
  };
  await Promise.all([...Array.from({ length: 20 }, () => render('mallory')), render('edith')]);
  const busyOutcomes = Array<string>(4).fill('too-many-requests');
  expect(order).toEqual([...busyOutcomes, 'mallory', 'edith', ...Array<string>(15).fill('mallory')]);
});

test('a process that can’t start is a server error, not a rejection', async () => {
  const { renderer } = openRenderer({ script: new URL('./missing.ts', import.meta.url) });
  await expect(renderer.render('hello', 'edith')).rejects.toThrow('did not start: it ended with 1');
});
