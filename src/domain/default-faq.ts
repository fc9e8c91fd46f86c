import { type Language, m } from '#messages';

/** Questions of the default FAQ (§2) and their answers. */
const QUESTIONS = [
  [m.faqFundTitle, m.faqFundText],
  [m.faqOffsetTitle, m.faqOffsetText],
  [m.faqMoneyTitle, m.faqMoneyText],
  [m.faqGrantTitle, m.faqGrantText],
  [m.faqPriceTitle, m.faqPriceText],
  [m.faqTonTitle, m.faqTonText],
  [m.faqCalculatorsTitle, m.faqCalculatorsText],
  [m.faqAccuracyTitle, m.faqAccuracyText],
  [m.faqPayingTitle, m.faqPayingText],
  [m.faqCheckTitle, m.faqCheckText],
  [m.faqMonthlyTitle, m.faqMonthlyText],
  [m.faqTributeTitle, m.faqTributeText],
  [m.faqReceiptTitle, m.faqReceiptText],
  [m.faqRefundTitle, m.faqRefundText],
  [m.faqStoryTitle, m.faqStoryText],
  [m.faqRecipientsTitle, m.faqRecipientsText],
  [m.faqInstallersTitle, m.faqInstallersText],
  [m.faqTotalsTitle, m.faqTotalsText],
  [m.faqRunnersTitle, m.faqRunnersText],
] as const;

/** The default FAQ (§2), as markdown. test/domain/default-cells.test.ts checks its factors and prices against §9. */
export function defaultFaq(locale: Language): string {
  return QUESTIONS.map(([title, text]) => `### ${title({}, { locale })}\n\n${text({}, { locale })}\n`).join('\n');
}
