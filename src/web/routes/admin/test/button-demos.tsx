import { Button, ButtonLink } from '#web/ui/button.tsx';
import { Icon, type IconName } from '#web/ui/icon.tsx';
import styles from './demo.module.css';
import { Demo, DemoSection } from './demo.tsx';

const KINDS = ['action', 'dark', 'outline', 'quiet', 'remove', 'danger'] as const;

const ICONS: readonly IconName[] = [
  ...(['menu', 'close', 'plane', 'car', 'home', 'bolt', 'cart', 'pin', 'search', 'check', 'trash'] as const),
  ...(['plus', 'minus', 'previous', 'next', 'arrow', 'external', 'camera', 'repeat', 'info', 'people'] as const),
  ...(['tools', 'question', 'gift', 'qr', 'medal', 'pencil', 'person', 'heart', 'login', 'logout'] as const),
  ...(['settings', 'shield', 'chart', 'mail', 'history', 'bold', 'italic', 'heading', 'list', 'link'] as const),
];

/** What is pressed, and what stands on it. */
export function ButtonDemos() {
  return (
    <DemoSection title="Buttons and icons">
      {KINDS.map((kind) => (
        <Demo key={kind} title={`Button: ${kind}`}>
          <div className={styles.row}>
            <Button kind={kind}>Ready</Button>
            <Button kind={kind} disabled>
              Disabled
            </Button>
            <Button kind={kind} busy>
              Busy…
            </Button>
          </div>
        </Demo>
      ))}
      <Demo title="Buttons: wide, with an icon, as a link">
        <Button wide>Wide</Button>
        <div className={styles.row}>
          <Button kind="action">
            <Icon name="plus" /> With an icon
          </Button>
          <ButtonLink kind="outline" to="/test">
            A link to a page
          </ButtonLink>
          <ButtonLink kind="quiet" href="#icons">
            A link to an address
          </ButtonLink>
        </div>
      </Demo>
      <Demo title="Icons" wide>
        <ul className={styles.icons} id="icons">
          {ICONS.map((name) => (
            <li key={name}>
              <Icon name={name} /> {name}
            </li>
          ))}
        </ul>
      </Demo>
    </DemoSection>
  );
}
