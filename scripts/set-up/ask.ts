import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { describeProblem, findProblems, type Question, type Settings } from './questions.ts';

/**
 * Asks each question until the answer is valid. Hides secrets as they are typed.
 * @throws Error if the input ends before the last answer
 */
export async function askAll(questions: readonly Question[]): Promise<Settings> {
  let isInputHidden = false;
  const output = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      if (!isInputHidden) process.stdout.write(chunk);
      done();
    },
  });
  const isTerminal = process.stdin.isTTY === true;
  const lines = createInterface({ input: process.stdin, output, terminal: isTerminal });
  const answers = lines[Symbol.asyncIterator]();
  lines.on('SIGINT', () => process.exit(130));
  try {
    let settings: Settings = {};
    for (const [index, question] of questions.entries()) {
      console.log(`\n${index + 1}. ${question.text}\n   Example: ${question.example}`);
      settings = { ...settings, ...(await askQuestion(question)) };
    }
    return settings;
  } finally {
    lines.close();
  }

  async function askQuestion(question: Question): Promise<Settings> {
    const { parse, isSecret = false } = question;
    while (true) {
      process.stdout.write(isSecret && isTerminal ? '   (not shown) > ' : '   > ');
      isInputHidden = isSecret;
      const answer = await answers.next();
      isInputHidden = false;
      if (isSecret || !isTerminal) console.log();
      if (answer.done) throw new Error('Not all questions were answered, so nothing was written.');
      const input = answer.value.trim();
      const result = input === '' ? 'Please type an answer.' : parse(input);
      const problems = typeof result === 'string' ? [result] : findProblems(result);
      if (typeof result !== 'string' && problems.length === 0) return result;
      for (const problem of problems) console.log(`   ${describeProblem(question, problem)}`);
    }
  }
}
