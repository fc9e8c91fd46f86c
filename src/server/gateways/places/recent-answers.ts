/** Answers by question, of which the longest unasked are forgotten first. */
export type RecentAnswers<Answer> = {
  get(question: string): Answer | undefined;
  set(question: string, answer: Answer): void;
};

/** @param most how many answers are kept, 1 or more */
export function recentAnswers<Answer extends object>(most: number): RecentAnswers<Answer> {
  // A Map keeps the order in which its entries were set: the first is the one unasked for longest.
  const answers = new Map<string, Answer>();
  const set = (question: string, answer: Answer) => {
    answers.delete(question);
    answers.set(question, answer);
    const [oldest] = answers.keys();
    if (answers.size > most && oldest !== undefined) answers.delete(oldest);
  };
  return {
    get: (question) => {
      const answer = answers.get(question);
      if (answer) set(question, answer);
      return answer;
    },
    set,
  };
}
