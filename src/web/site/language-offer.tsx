import { useState } from 'react';
import { localizeAddress } from '#contract/languages.ts';
import { LANGUAGES, m } from '#messages';
import { getStoredText } from '#web/browser/stored-text.ts';
import { useAddress } from '#web/navigation/use-navigator.ts';
import { Icon } from '#web/ui/icon.tsx';
import styles from './language-offer.module.css';

const dismissalStorage = getStoredText('language-offer');

/** Offers the page in the browser's language, in one line that can be dismissed permanently. */
export function LanguageOffer() {
  const address = useAddress();
  const language = LANGUAGES.find((name) => navigator.language.split('-')[0] === name);
  const [isDismissed, setIsDismissed] = useState(() => dismissalStorage.read() !== null);
  if (!language || isDismissed) return null;
  const dismiss = () => {
    dismissalStorage.write('dismissed');
    setIsDismissed(true);
  };
  return (
    <aside lang={language} aria-label={m.offerLabel()} className={styles.offer} data-dark>
      <p>
        {m.offerQuestion()}{' '}
        <a href={localizeAddress(address, language)} hrefLang={language}>
          {m.offerLink()}
        </a>
      </p>
      <button type="button" className={styles.close} aria-label={m.offerDismiss()} onClick={dismiss}>
        <Icon name="close" />
      </button>
    </aside>
  );
}
