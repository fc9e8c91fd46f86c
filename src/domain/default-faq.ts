import { type InLanguage, type Language, m } from '#messages';

type TextFunction = (inputs?: Record<string, never>, options?: InLanguage) => string;
/** Details that some default texts quote. */
export type OrgDetails = {
  /** The contact address. */
  readonly email: string;
  /** The path of the page for households that need help. */
  readonly helpPath: string;
};

type Group = {
  readonly title: TextFunction;
  readonly questions: readonly (readonly [title: TextFunction, answer: TextFunction])[];
};

/** Questions of the default FAQ (§2) with their answers. */
function buildQuestionGroups({ email, helpPath }: OrgDetails): readonly Group[] {
  const withEmail =
    (text: (inputs: { email: string }, options?: InLanguage) => string): TextFunction =>
    (_inputs, options) =>
      text({ email }, options);
  return [
    {
      title: m.faqGroupFund,
      questions: [
        [m.faqFundTitle, m.faqFundText],
        [m.faqMoneyTitle, m.faqMoneyText],
        [m.faqTotalsTitle, m.faqTotalsText],
        [m.faqRunnersTitle, withEmail(m.faqRunnersText)],
      ],
    },
    {
      title: m.faqGroupOffsets,
      questions: [
        [m.faqOffsetTitle, m.faqOffsetText],
        [m.faqPriceTitle, m.faqPriceText],
        [m.faqTonTitle, m.faqTonText],
        [m.faqCalculatorsTitle, m.faqCalculatorsText],
        [m.faqAccuracyTitle, m.faqAccuracyText],
      ],
    },
    {
      title: m.faqGroupGiving,
      questions: [
        [m.faqPayingTitle, m.faqPayingText],
        [m.faqCheckTitle, m.faqCheckText],
        [m.faqMonthlyTitle, m.faqMonthlyText],
        [m.faqTributeTitle, m.faqTributeText],
        [m.faqReceiptTitle, m.faqReceiptText],
        [m.faqRefundTitle, withEmail(m.faqRefundText)],
      ],
    },
    {
      title: m.faqGroupHomes,
      questions: [
        [m.faqRecipientsTitle, (_inputs, options) => m.faqRecipientsText({ email, helpPath }, options)],
        [m.faqGrantTitle, m.faqGrantText],
        [m.faqInstallersTitle, withEmail(m.faqInstallersText)],
        [m.faqStoryTitle, withEmail(m.faqStoryText)],
      ],
    },
  ];
}

/** The default FAQ (§2), as markdown. test/domain/default-cells.test.ts checks its factors and prices against §9. */
export function buildDefaultFaq(locale: Language, details: OrgDetails): string {
  const groups = buildQuestionGroups(details).map(({ title, questions }) => {
    const answers = questions.map(([question, answer]) => {
      return `### ${question({}, { locale })}\n\n${answer({}, { locale })}\n`;
    });
    return [`## ${title({}, { locale })}\n`, ...answers].join('\n');
  });
  return groups.join('\n');
}
