import type { ReactNode } from 'react';
import styles from './org-settings.module.css';

type SettingsSectionProps = { title: string; lead?: ReactNode; children: ReactNode };

/** Some of the settings that belong together. */
export function SettingsSection({ title, lead, children }: SettingsSectionProps) {
  return (
    <fieldset className={styles.section}>
      <legend>{title}</legend>
      {lead && <p className={styles.lead}>{lead}</p>}
      {children}
    </fieldset>
  );
}
