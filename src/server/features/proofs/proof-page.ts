import { readFile } from 'node:fs/promises';
import { callPath } from '#contract/calls.ts';
import { inLanguage } from '#contract/languages.ts';
import { pagePath } from '#contract/pages.ts';
import { VERIFIER_PATH } from '#contract/verifier.ts';
import { addDays } from '#domain/days.ts';
import type { proofFile } from '#domain/gift-proof.ts';
import { type Language, m } from '#messages';
import { Html, html, policyHash } from '#server/html.ts';
import { programFile } from '#server/program-file.ts';
import { PROOF_STYLE } from './proof-style.ts';

export type ProofDocument = {
  readonly text: string;
  /** Its content security policy: nothing of any other address, and only the code and the style that are in it. */
  readonly policy: string;
};

type Shown = {
  readonly org: { readonly id: string; readonly name: string };
  readonly language: Language;
  readonly publicUrl: string;
};

/** What checks proofs, as it is sent and as it is in each document. */
export function readVerifier(): Promise<string> {
  return readFile(programFile('scripts/verify-gift.mjs'), 'utf8');
}

function readShowing(): Promise<string> {
  return readFile(programFile('src/server/features/proofs/show-proof.mjs'), 'utf8');
}

/** So many days before the proof's own are in the chain that its document leads to. */
const DAYS_BEFORE = 30;

/** A proof with what checks it, in one document that asks for nothing else: it says the same from a disk, without a network. */
export async function proofDocument(
  { org, language, publicUrl }: Shown,
  proof: ReturnType<typeof proofFile>,
): Promise<ProofDocument> {
  const { head, entry } = proof;
  const told = {
    key: head.key,
    organization: org.id,
    fund: org.name,
    locale: `${language}-US`,
    links: {
      name: `proof-${entry.receipt}.html`,
      verifier: publicUrl + VERIFIER_PATH,
      chain: `${publicUrl}${callPath('readHeads', { orgid: org.id })}?from=${addDays(head.day, -DAYS_BEFORE)}`,
      heads: publicUrl + inLanguage(pagePath('heads-page', { orgid: org.id }), language),
    },
    words: wordsIn(language, org.name),
  };
  const script = [await readVerifier(), await readShowing(), `await showProof(verifyFile, ${inScript(told)});\n`].join(
    '\n',
  );
  const options = { locale: language };
  return documentOf({
    language,
    title: `${m.giftProofTitle({}, options)} – ${org.name}`,
    script,
    // It stays in the document when the body is written anew.
    data: inScript(proof),
    body: html`<p class="verdict bad late">${m.giftProofStuck({}, options)}</p>`,
  });
}

/** What is said instead of a proof: that its head is not made yet, or that the key is none. */
export function noProofDocument(
  { org, language }: Omit<Shown, 'publicUrl'>,
  why: 'soon' | 'no-receipt',
): ProofDocument {
  const options = { locale: language };
  const title = m.giftProofTitle({}, options);
  const [first, then] =
    why === 'soon'
      ? [m.giftProofSoon({}, options), m.giftProofSoonText({}, options)]
      : [m.giftProofNoReceipt({}, options), m.giftProofNoReceiptText({}, options)];
  return documentOf({
    language,
    title: `${title} – ${org.name}`,
    body: html`<h1>${title}</h1><p>${org.name}</p><section class="verdict unsure"><strong>${first}</strong><p>${then}</p></section>`,
  });
}

type Parts = {
  readonly language: Language;
  readonly title: string;
  readonly body: Html;
  readonly script?: string;
  readonly data?: string;
};

function documentOf({ language, title, body, script, data }: Parts): ProofDocument {
  const scripts = script === undefined ? "'none'" : policyHash(script);
  const own = `default-src 'none'; script-src ${scripts}; style-src ${policyHash(PROOF_STYLE)}; base-uri 'none'; form-action 'none'`;
  const inHead =
    script === undefined || data === undefined
      ? []
      : [
          new Html(
            `<script type="application/json" id="proof">${data}</script>\n<script type="module">${script}</script>\n`,
          ),
        ];
  const { text } = html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta http-equiv="content-security-policy" content="${new Html(own)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
<style>${new Html(PROOF_STYLE)}</style>
${inHead}</head>
<body><main>${body}</main></body>
</html>
`;
  return { text, policy: `${own}; frame-ancestors 'none'` };
}

/** A value as a script of a document holds it. */
const inScript = (value: unknown): string => JSON.stringify(value).replaceAll('<', String.raw`\u003c`);

/** What the document says once it has checked; names in braces are filled in there. */
function wordsIn(locale: Language, name: string) {
  const options = { locale };
  const [amount, day, key, pounds] = ['{amount}', '{day}', '{key}', '{pounds}'];
  return {
    title: m.giftProofTitle({}, options),
    holds: m.giftProofHolds({}, options),
    counted: m.giftProofCounted({ amount, day, key }, options),
    unsigned: m.giftProofUnsigned({}, options),
    countedUnsigned: m.giftProofCountedUnsigned({ amount, day }, options),
    unsignedWhy: m.giftProofUnsignedWhy({}, options),
    unchecked: m.giftProofUnchecked({}, options),
    uncheckedWhy: m.giftProofUncheckedWhy({}, options),
    refused: m.giftProofRefused({}, options),
    refusedWhy: m.giftProofRefusedWhy({}, options),
    reasons: {
      form: m.giftProofReasonForm({}, options),
      signature: m.giftProofReasonSignature({}, options),
      key: m.giftProofReasonKey({}, options),
      tree: m.giftProofReasonTree({}, options),
      sum: m.giftProofReasonSum({}, options),
    },
    gift: m.giftYours({}, options),
    testMoney: m.giftProofTestMoney({}, options),
    labels: {
      amount: m.giftProofAmount({}, options),
      date: m.giftProofDate({}, options),
      pounds: m.giftProofPounds({}, options),
      receipt: m.giftProofReceipt({}, options),
      fund: m.giftProofFund({}, options),
      entry: m.giftProofEntry({}, options),
      entries: m.headsEntries({}, options),
      cameIn: m.headsCameIn({}, options),
      wentBack: m.headsWentBack({}, options),
      zone: m.headsZone({}, options),
      print: m.headsFingerprint({}, options),
      key: m.headsKey({}, options),
      hash: m.headsHash({}, options),
    },
    shows: {
      title: m.giftProofShows({}, options),
      isIn: m.giftProofShowsIn({ day }, options),
      once: m.giftProofShowsOnce({}, options),
      signed: m.giftProofShowsSigned({ key }, options),
      unsigned: m.giftProofShowsUnsigned({}, options),
    },
    hides: {
      title: m.giftProofHides({}, options),
      others: m.giftProofHidesOthers({}, options),
      later: m.giftProofHidesLater({}, options),
      same: m.giftProofHidesSame({}, options),
      key: m.giftProofHidesKey({}, options),
      page: m.giftProofHidesPage({}, options),
    },
    head: m.giftProofHead({ day }, options),
    headLead: m.headsLead({}, options),
    both: m.headsBoth({ amount, pounds }, options),
    self: m.giftProofSelf({}, options),
    selfLead: m.giftProofSelfLead({}, options),
    savePage: m.giftProofSavePage({}, options),
    saveFile: m.giftProofSaveFile({}, options),
    allHeads: m.headsOf({ name }, options),
  };
}
