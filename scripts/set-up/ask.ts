import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { inWordsOf, problemsOf, type Question, type Settings } from './questions.ts';

/**
 * Asks until each answer gives settings that the program takes. What is secret is not shown while it is typed.
 * @throws Error where the input ends before the last answer
 */
export async function askAll(questions: readonly Question[]): Promise<Settings> {
  let hidden = false;
  const shown = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      if (!hidden) process.stdout.write(chunk);
      done();
    },
  });
  const terminal = process.stdin.isTTY === true;
  const lines = createInterface({ input: process.stdin, output: shown, terminal });
  const answers = lines[Symbol.asyncIterator]();
  lines.on('SIGINT', () => process.exit(130));
  try {
    let settings: Settings = {};
    for (const [at, question] of questions.entries()) {
      console.log(`\n${at + 1}. ${question.text}\n   Such as: ${question.example}`);
      settings = { ...settings, ...(await askOne(question)) };
    }
    return settings;
  } finally {
    lines.close();
  }

  async function askOne(question: Question): Promise<Settings> {
    const { read, isSecret = false } = question;
    while (true) {
      process.stdout.write(isSecret && terminal ? '   (not shown) > ' : '   > ');
      hidden = isSecret;
      const answer = await answers.next();
      hidden = false;
      if (isSecret || !terminal) console.log();
      if (answer.done) throw new Error('The last questions were not answered, and nothing was written.');
      const typed = answer.value.trim();
      const given = typed === '' ? 'Please type an answer.' : read(typed);
      const problems = typeof given === 'string' ? [given] : problemsOf(given);
      if (typeof given !== 'string' && problems.length === 0) return given;
      for (const problem of problems) console.log(`   ${inWordsOf(question, problem)}`);
    }
  }
}
