import { useState } from 'react';
import { BADGE_SIZE, badgePath, EMBED_SCRIPT, embedPath } from '#contract/embed.ts';
import { localizeAddress } from '#contract/languages.ts';
import { pagePath } from '#contract/pages.ts';
import type { Org } from '#contract/schemas/orgs.ts';
import type { Language } from '#messages';
import { Link } from '#web/navigation/link.tsx';
import type { OrgPageProps } from '#web/site/page.ts';
import { Button } from '#web/ui/button.tsx';
import { ChoiceGroup } from '#web/ui/choice.tsx';
import { Stack } from '#web/ui/layout.tsx';
import { useToast } from '#web/ui/toast.tsx';
import { EditorPage } from '../editor-frame.tsx';
import styles from './share.module.css';

/** HTML code that shows the calculator and totals on another website. */
export function SharePage({ org, site }: OrgPageProps) {
  const toast = useToast();
  const [language, setLanguage] = useState<Language>('en');
  const html = createEmbedHtml(org, site.publicUrl, language);
  const copy = () =>
    navigator.clipboard.writeText(html).then(
      () => toast('Copied'),
      () => toast('Please select the code and copy it'),
    );
  return (
    <EditorPage
      org={org}
      title="Share"
      subtitle={`Show ${org.name}’s calculator and live totals on another website, such as a school’s or a partner’s.`}
    >
      <Stack className={styles.page}>
        <ChoiceGroup
          legend="Language"
          layout="segment"
          options={LANGUAGE_CHOICES}
          value={language}
          onChange={setLanguage}
          className={styles.language}
        />
        <label className={styles.code}>
          <span>Code to paste into the website</span>
          <textarea readOnly rows={6} value={html} spellCheck={false} />
        </label>
        <div>
          <Button onClick={() => void copy()}>Copy</Button>
        </div>
        <section className={styles.hints} aria-labelledby="share-options">
          <h2 id="share-options">Options</h2>
          <ul>
            <li>
              To start with a quick estimate, add <code>data-form="quick"</code> to the frame.
            </li>
            <li>
              To suggest a donation of $50, add <code>data-amount="50"</code> to the frame.
            </li>
            <li>
              If the website has a content security policy, it must allow <code>{site.publicUrl}</code> in frame-src,
              script-src, and img-src.
            </li>
          </ul>
          <p>
            For print, use the poster on the <Link to={pagePath('qrcode-page', { orgid: org.id })}>QR code page</Link>.
          </p>
        </section>
      </Stack>
    </EditorPage>
  );
}

const LANGUAGE_CHOICES = [
  { value: 'en', label: 'English' },
  { value: 'es', label: 'Español' },
] as const satisfies readonly { value: Language; label: string }[];

const TITLES: Readonly<Record<Language, { frame: (name: string) => string; badge: (name: string) => string }>> = {
  en: { frame: (name) => `${name} carbon calculator`, badge: (name) => `${name}: totals so far` },
  es: { frame: (name) => `Calculadora de carbono de ${name}`, badge: (name) => `${name}: totales hasta ahora` },
};

/** Initial height in pixels, until the frame's script reports its actual height. */
const FRAME_HEIGHT = 480;

function createEmbedHtml({ id, name }: Pick<Org, 'id' | 'name'>, origin: string, language: Language): string {
  const home = origin + localizeAddress(pagePath('home-page', { orgid: id }), language);
  const { frame, badge } = TITLES[language];
  const { width, height } = BADGE_SIZE;
  return `<iframe src="${origin}${embedPath(id, language)}" title="${escapeAttribute(frame(name))}" width="100%" height="${FRAME_HEIGHT}" loading="lazy"></iframe>
<script src="${origin}${EMBED_SCRIPT}" async></script>
<a href="${home}"><img src="${origin}${badgePath(id, language)}" alt="${escapeAttribute(badge(name))}" width="${width}" height="${height}"></a>`;
}

function escapeAttribute(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}
